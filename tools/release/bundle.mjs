// The plugin as one file of JavaScript.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { Failure } from "../base/failure.mjs";
import { built, root } from "../base/paths.mjs";

/**
 * Bundles what is compiled, with everything that it needs besides Node.
 *
 * @param {string} file Where to write it.
 * @param {string} schema The text of the schema that it serves.
 * @returns {Promise<string[]>} The folders of the packages in it, in `node_modules`.
 */
export async function bundle(file, schema) {
  const { metafile } = await build({
    entryPoints: [built("cli", "plugin.js")],
    outfile: file,
    absWorkingDir: root,
    platform: "node",
    target: "node20.19",
    format: "cjs",
    bundle: true,
    minify: true,
    // They are in a file of their own.
    legalComments: "none",
    metafile: true,
    logLevel: "error",
    plugins: [
      {
        name: "schema",
        setup: ({ onLoad }) =>
          onLoad({ filter: /[/\\]plugin[/\\]schema\.json$/ }, () => ({ contents: schema, loader: "json" })),
      },
    ],
  });
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
