import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../failure.mjs";
import { compiler, root } from "../paths.mjs";
import { run } from "../run.mjs";

const source = join(root, "platform");

/**
 * The local platform's package as its own build makes it, in a folder that has no output of older sources.
 *
 * @param {string} folder
 */
export async function buildPlatform(folder) {
  mkdirSync(folder);
  for (const name of ["package.json", "README.md", "LICENSE"]) cpSync(join(source, name), join(folder, name));
  // The types were checked when the repository was built.
  const args = [compiler, "-p", source, "--outDir", join(folder, "dist"), "--noCheck"];
  const { code, output } = await run(process.execPath, args, { cwd: root });
  if (code !== 0) throw new Failure("The build of the local platform's package failed.", output);
  return folder;
}
