import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import * as pulumi from "@pulumi/pulumi";

import { messageOf } from "../api/core/errors";
import { bundled } from "../bundle/bundle";
import type { BundleOptions } from "../bundle/options";
import { runError } from "./run-error";

/** The program's folder, read before the program can change it. Paths of a `FileArchive` start there, too. */
const programFolder = process.cwd();

/**
 * Bundles the source of a function for `Function.code`: one ES module for Node 24 with all that it imports, `index.mjs`, and its source
 * map. Equal sources make equal archives, so that only a change of the code deploys the function. Needs `esbuild` in the program's packages.
 *
 * @param entry Path of the source in TypeScript or JavaScript. A relative one starts at the program's folder.
 * @param options Options of esbuild.
 * @example
 * ```ts
 * const project = new neon.Project("shop", { regionId: "aws-us-east-2" });
 * const api = new neon.Function("api", {
 *   projectId: project.id,
 *   branchId: project.defaultBranchId,
 *   code: neon.bundle("api/index.ts"),
 * });
 * ```
 */
export async function bundle(entry: string, options: BundleOptions = {}): Promise<pulumi.asset.Archive> {
  const call = `neon.bundle(${JSON.stringify(entry)})`;
  assertPlain({ entry, ...options }, call);
  try {
    const { files, warnings } = await bundled(programFolder, entry, options);
    for (const warning of warnings) void pulumi.log.warn(`${call}: ${warning}`);
    return new pulumi.asset.FileArchive(written(files));
  } catch (error) {
    throw runError(`${call} failed: ${messageOf(error)}`);
  }
}

/** How deep the texts of an option can be. A plugin may hold circles. */
const deepest = 3;

/** Fails if a value is an output: the code is no secret, and outputs are not known when it is bundled. */
function assertPlain(value: unknown, call: string, path: readonly string[] = []): void {
  // A text made of an output has Pulumi's warning about that in it.
  if (pulumi.Output.isInstance(value) || (typeof value === "string" && value.includes("[Output<T>]"))) {
    throw runError(
      `${call} failed: \`${path.join(".")}\` is an output. Code is bundled before outputs are known, and is not secret. Declare the value in \`environment\` of the \`Function\`, and read it from \`process.env\`.`,
    );
  }
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value ?? 0) === Object.prototype;
  if (!isPlain || path.length === deepest) return;
  for (const [name, member] of Object.entries(value as object)) assertPlain(member, call, [...path, name]);
}

/** The archives of this program, deleted at its end: the provider has read them when the engine has answered the program. */
let archives: string | undefined;
let count = 0;

/** Writes the files to a folder of their own. A map of files would be stored in the state, with all code. */
function written(files: ReadonlyMap<string, Uint8Array>): string {
  if (archives === undefined) {
    const made = mkdtempSync(join(tmpdir(), "neon-pulumi-bundle-"));
    process.once("exit", () => rmSync(made, { recursive: true, force: true }));
    archives = made;
  }
  const folder = join(archives, String((count += 1)));
  for (const [name, content] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}
