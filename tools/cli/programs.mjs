import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { cacheFolder } from "./cache.mjs";

/**
 * @typedef {object} GoProgram
 * @property {string} name
 * @property {string} title What is printed while it is built.
 * @property {string} folder Where it is kept, in the cache folder.
 * @property {string} module The folder of the `go.mod` and `go.sum` that pin it.
 * @property {string} program Its package.
 * @property {string} flags Flags of the linker.
 * @property {{ module: string, path: string }} [script] A file of a module that has to be in the same folder.
 */

/** What a Pulumi CLI that can run this package's programs consists of. */
export const programs = /** @type {const} */ (["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"]);

const endings = process.platform === "win32" ? [".exe", ".cmd", ".bat"] : [""];

/**
 * A program in a folder, if it is there and can be run.
 *
 * @param {string} folder
 * @param {string} name
 */
export function programIn(folder, name) {
  for (const ending of endings) {
    const path = join(folder, name + ending);
    try {
      accessSync(path, constants.X_OK);
      if (statSync(path).isFile()) return path;
    } catch {
      // Not here.
    }
  }
  return undefined;
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
