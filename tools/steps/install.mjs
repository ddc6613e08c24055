import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../base/failure.mjs";
import { npm } from "../base/npm.mjs";
import { installed, root } from "../base/paths.mjs";
import { step } from "../base/progress.mjs";

/** @typedef {Record<string, { version?: string, integrity?: string, optional?: boolean, dev?: boolean, devOptional?: boolean, link?: boolean }>} Packages */

/** Installs the packages of `package-lock.json`, unless they are installed. */
export async function install() {
  // Development dependencies are needed regardless of NODE_ENV.
  await installWith(true);
}

/** Installs the packages that `npm start` and `npm pack` need, without development dependencies, unless they are installed. */
export async function installProduct() {
  await installWith(false);
}

/** @param {boolean} dev Whether development dependencies are needed. */
async function installWith(dev) {
  if (isInstalled(dev)) {
    await step("dependencies: installed", async () => undefined);
    return;
  }
  const install = async () => {
    const which = dev ? "--include=dev" : "--omit=dev";
    // No package here needs its install script.
    const args = ["ci", which, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    const { code, output } = await npm(args);
    if (code !== 0) throw new Failure("`npm ci` failed.", output);
  };
  await step("dependencies: npm ci", install, "a minute");
}

/**
 * Compares the wanted packages with npm's record of installed packages, which npm writes last.
 *
 * @param {boolean} dev Whether development dependencies are wanted.
 * @returns {boolean}
 */
export function isInstalled(dev) {
  /** @type {Packages} */
  let present;
  try {
    present = JSON.parse(readFileSync(installed(".package-lock.json"), "utf8")).packages;
  } catch {
    return false;
  }
  /** @type {Packages} */
  const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === "" || !path.startsWith("node_modules/") || (entry.dev && !dev)) continue;
    const found = present[path];
    // Missing optional packages are for other systems.
    if (!found && (entry.optional || entry.devOptional)) continue;
    if (found?.version !== entry.version || found?.integrity !== entry.integrity) return false;
  }
  return true;
}
