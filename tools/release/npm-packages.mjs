import { Failure } from "../base/failure.mjs";
import { npm } from "../base/npm.mjs";

/**
 * Packs a folder as `npm publish` would.
 *
 * @param {string} folder Where to write the package.
 * @param {string} from
 */
export async function packNpm(folder, from) {
  const { code, output } = await npm(["pack", from, "--silent", "--pack-destination", folder]);
  if (code !== 0) throw new Failure(`\`npm pack\` of ${from} failed.`, output);
}
