// The Pulumi schema of the package: what the plugin answers, and what the SDKs of other languages are generated from.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../base/failure.mjs";
import { root } from "../base/paths.mjs";
import { languagesOf } from "./languages.mjs";
import { compiled, dataSources, resources } from "./model.mjs";
import { Texts } from "./texts.mjs";
import { pathOf, sorted, Types } from "./types.mjs";

/** @typedef {import("./types.mjs").ObjectShape} ObjectShape */

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

/** @param {{ pluginDownloadURL?: string }} [release] Where the CLI downloads the plugin of a release from. */
export function pulumiSchema({ pluginDownloadURL } = {}) {
  /** @type {Manifest} */
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const texts = new Texts();
  const types = new Types(texts);
  const schema = {
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
    ...settings(),
    types: {},
    resources: sorted(Object.fromEntries(resources().map((one) => [`neon:index:${one.name}`, resourceOf(one, types)]))),
    functions: sorted(
      Object.fromEntries(dataSources().map((one) => [`neon:index:${one.name}`, functionOf(one, types)])),
    ),
  };
  texts.assertAllReplaced();
  return { ...schema, types: sorted(types.named) };
}

/** The configuration of the provider. */
function settings() {
  const { settingNames, settingDescriptions } = compiled("provider", "settings", "client-settings.js");
  /** @param {boolean} isInput */
  const described = (isInput) =>
    sorted(
      Object.fromEntries(
        Object.entries(settingDescriptions).map(([name, description]) => [
          name,
          {
            type: "string",
            description,
            ...(name === "apiKey" ? { secret: true } : {}),
            ...(isInput ? { defaultInfo: { environment: [settingNames[name]] } } : {}),
          },
        ]),
      ),
    );
  const description =
    "A provider with its own account, for programs that use several accounts or whose API key is not in the stack's configuration.";
  return {
    config: { variables: described(true) },
    provider: { description, inputProperties: described(true), properties: described(false) },
  };
}

/**
 * @param {import("./model.mjs").Resource} resource
 * @param {Types} types
 */
function resourceOf({ name, inputs, outputs, about }, types) {
  const { properties: inputProperties, required: requiredInputs } = types.shapeOf(inputs, name);
  const secrets = Object.entries(outputs.properties ?? {}).flatMap(([output, { secret }]) => (secret ? [output] : []));
  // Inputs that have the names of secret outputs are secret, too.
  for (const secret of secrets) if (inputProperties[secret]) inputProperties[secret].secret = true;
  const properties = Object.entries(outputs.properties ?? {}).map(([output, schema]) => [
    output,
    {
      ...types.typeOf(schema, pathOf(name, output)),
      ...types.words(schema, `${name}.${output}`),
      ...(schema.secret ? { secret: true } : {}),
    },
  ]);
  return {
    ...types.words({ description: about.text }, name),
    inputProperties,
    requiredInputs,
    properties: sorted(Object.fromEntries(properties)),
    required: [...(outputs.required ?? [])].sort(),
    // A stack that was made with the classes of `sdk/` has its resources under this type.
    aliases: [{ type: `pulumi-nodejs:dynamic/neon:${name}` }],
  };
}

/**
 * @param {import("./model.mjs").DataSource} dataSource
 * @param {Types} types
 */
function functionOf({ name, args, answer, list, secrets, about }, types) {
  const path = pathOf("", name);
  const words = types.words({ description: about.text }, name);
  // A list is the only member of the answer.
  const result =
    list === undefined
      ? answer
      : { ...answer, properties: { [list]: { ...answer.properties?.[list], description: listed(words.description) } } };
  const outputs = types.shapeOf(result, path);
  for (const secret of secrets) Object.assign(outputs.properties[secret] ?? {}, { secret: true });
  return {
    ...words,
    ...(Object.keys(args.properties ?? {}).length > 0 ? { inputs: objectOf(types.shapeOf(args, path)) } : {}),
    outputs: objectOf(outputs),
  };
}

/** @param {ObjectShape} shape */
function objectOf({ properties, required }) {
  return { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
}

/**
 * What a list holds: `The roles of a branch.` of the function that `Lists the roles of a branch.`
 *
 * @param {string} description
 */
function listed(description) {
  const [, what = ""] = /^Lists t(he .+?\.)(?=\s|$)/.exec(description) ?? [];
  if (what === "") throw new Failure(`"${description}" does not begin with what the function lists.`);
  return `T${what}`;
}
