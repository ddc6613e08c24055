import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

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
