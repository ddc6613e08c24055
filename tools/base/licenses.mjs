// The packages in a bundle, and their licenses.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "./failure.mjs";
import { root } from "./paths.mjs";

/**
 * The folders of the packages in a bundle, in `node_modules`.
 *
 * @param {import("esbuild").Metafile} metafile
 */
export function packagesIn(metafile) {
  const folders = Object.keys(metafile.inputs).map((input) => /^(.*node_modules\/(@[^/]+\/)?[^/]+)\//.exec(input)?.[1]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}

/**
 * Writes the licenses of packages.
 *
 * @param {string} file
 * @param {readonly string[]} folders
 */
export function writeLicenses(file, folders) {
  const texts = folders.map((folder) => {
    const { name, version, license, licenses } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    const named = license ?? licenses?.map((/** @type {{ type: string }} */ { type }) => type).join(", ");
    const text = licenseTextIn(join(root, folder)) ?? named;
    if (!text) throw new Failure(`${folder} has no license: it cannot be part of a release.`);
    return `${name} ${version} (${named ?? "see below"})\n\n${text.trim()}\n`;
  });
  writeFileSync(file, texts.join(`\n${"-".repeat(80)}\n\n`));
}

/** @param {string} folder */
function licenseTextIn(folder) {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(name));
  return file ? readFileSync(join(folder, file), "utf8") : undefined;
}
