import { readdirSync } from "node:fs";
import { Failure } from "../base/failure.mjs";
import { run } from "../base/run.mjs";

/** The time of all files in a release, in seconds: the same files make the same archive. The oldest that a wheel can hold. */
export const fileTime = 315_532_800;

/**
 * Packs what is in a folder.
 *
 * @param {string} file A `.tar.gz`.
 * @param {string} folder
 * @param {string[]} [names] What of it; default: everything.
 */
export async function pack(file, folder, names = readdirSync(folder)) {
  const options = [
    "--sort=name",
    "--format=gnu",
    `--mtime=@${fileTime}`,
    "--owner=0",
    "--group=0",
    "--numeric-owner",
    "--mode=u=rwX,go=rX",
  ];
  const args = ["-cf", file, "-C", folder, ...options, "--use-compress-program=gzip -9n", ...names.toSorted()];
  const { code, output } = await run("tar", args);
  if (code !== 0) throw new Failure(`Packing ${file} failed.`, output);
}
