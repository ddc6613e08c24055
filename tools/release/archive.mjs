import { readdirSync } from "node:fs";
import { Failure } from "../base/failure.mjs";
import { run } from "../base/run.mjs";

/**
 * The timestamp of all files in a release, in seconds, so that the same files give the same archive. It is the oldest
 * time that a wheel can hold.
 */
export const fileTime = 315_532_800;

/**
 * Packs the contents of a folder.
 *
 * @param {string} file A `.tar.gz`.
 * @param {string} folder
 * @param {string[]} [names] The entries to pack. Default: all.
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
