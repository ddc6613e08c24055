// The Pulumi schema of the package: what the plugin answers, and what the SDKs are generated from.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Failure } from "../base/failure.mjs";
import { built, root } from "../base/paths.mjs";
import { functionsOf } from "./functions.mjs";
import { languagesOf } from "./languages.mjs";
import { reflect } from "./reflection.mjs";
import { resourcesOf } from "./resources.mjs";
import { settingsOf } from "./settings.mjs";
import { Texts } from "./texts.mjs";
import { sorted, Types } from "./types.mjs";

/** @typedef {import("./resources.mjs").Kind} Kind */
/** @typedef {import("./functions.mjs").Lookup} Lookup */

/** Where the schema is checked in. The npm package ships it, and the plugin reads it. */
export const schemaFile = join(root, "plugin", "schema.json");

const require = createRequire(import.meta.url);

/**
 * What TypeDoc, which takes seconds, has read in `sdk/`.
 *
 * @type {ReturnType<typeof reflect> | undefined}
 */
let reading;

/** @param {string} [file] */
export async function writeSchema(file = schemaFile) {
  const schema = await schemaOf();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(schema, undefined, 2)}\n`);
}

/**
 * The schema, from the compiled kinds and lookups and from the comments in `sdk/`.
 *
 * @param {{ pluginDownloadURL?: string }} [release] Where the CLI downloads the plugin of a release from.
 */
export async function schemaOf({ pluginDownloadURL } = {}) {
  /** @type {{ kinds: Record<string, Kind> }} */
  const { kinds } = compiled("provider", "kinds.js");
  /** @type {{ settingNames: Record<string, string> }} */
  const { settingNames } = compiled("api", "client-settings.js");
  /** @type {{ lookups: Record<string, Lookup> }} */
  const { lookups } = compiled("api", "lookups", "index.js");
  /** @type {Manifest} */
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const sdk = await (reading ??= reflect(join(root, "sdk", "index.ts")));
  const texts = new Texts();
  const types = new Types(texts);
  const settings = settingsOf(settingNames, sdk, texts);
  const resources = resourcesOf(kinds, sdk, types, texts);
  const functions = functionsOf(lookups, sdk, types, texts);
  texts.assertAllReplaced();
  return {
    name: "neon",
    displayName: "Neon",
    version: manifest.version,
    description: manifest.description,
    keywords: [...manifest.keywords, "kind/native", "category/database"],
    license: manifest.license,
    ...(manifest.homepage === undefined ? {} : { homepage: manifest.homepage }),
    ...(manifest.repository === undefined ? {} : { repository: manifest.repository.url }),
    ...(pluginDownloadURL === undefined ? {} : { pluginDownloadURL }),
    // Each SDK has the version of the schema, and the generated Go module has a go.mod.
    meta: { supportPack: true },
    language: languagesOf(manifest),
    ...settings,
    types: sorted(types.named),
    resources,
    functions,
  };
}

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {string} description
 * @property {string} license
 * @property {readonly string[]} keywords
 * @property {Readonly<Record<string, string>>} dependencies
 * @property {string} [homepage]
 * @property {{ readonly url: string }} [repository]
 */

/**
 * A module of `dist`.
 *
 * @param {...string} segments
 */
function compiled(...segments) {
  const file = built(...segments);
  try {
    return require(file);
  } catch (error) {
    throw new Failure(`Cannot load ${file}: run \`npm run build\` first.`, String(error));
  }
}
