import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { cacheFolder } from "./cache.mjs";

/**
 * @typedef {object} GoProgram
 * @property {string} name
 * @property {string} title Printed during the build.
 * @property {string} usual How long the build usually takes on two cores.
 * @property {string} folder Its folder in the cache.
 * @property {string} module The folder of the `go.mod` and `go.sum` that pin it.
 * @property {string} program Its package.
 * @property {string} flags Flags of the linker.
 * @property {{ module: string, path: string }} [script] A file of a module that must be in the same folder.
 */

/** The programs of a Pulumi CLI that can run this package's programs. */
export const programs = /** @type {const} */ (["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"]);

/**
 * The path of a program in a folder, if the program exists and is executable.
 *
 * @param {string} folder
 * @param {string} name
 */
export function programIn(folder, name) {
  const path = join(folder, name);
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() ? path : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The first program of that name on PATH.
 *
 * @param {string} name
 * @param {string} [path]
 */
export function programOnPath(name, path = process.env["PATH"] ?? "") {
  for (const folder of path.split(delimiter)) {
    const found = folder && programIn(folder, name);
    if (found) return found;
  }
  return undefined;
}

/**
 * The path of a program that this repository builds, if the cache has it.
 *
 * @param {GoProgram} program
 */
export function cachedProgram({ folder, name }) {
  return programIn(join(cacheFolder(), folder), name);
}
