// The Pulumi schema of the package. The plugin returns it, and the SDKs of other languages are generated from it.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { type SettingName, settingDescriptions, settingNames } from "../../provider/settings/client-settings";
import { languagesOf, type Manifest } from "./languages";
import { membersOf } from "./json-schema";
import { type DataSource, dataSources, type Resource, resources } from "./model";
import { root } from "./root";
import { type ObjectType, Types, words } from "./types";

/** @param release the address from which the CLI downloads the plugin of a release */
export function pulumiSchema({ pluginDownloadURL }: { readonly pluginDownloadURL?: string } = {}) {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
  const types = new Types();
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
    // Gives each SDK the version of the schema, and the Go module a go.mod.
    meta: { supportPack: true },
    language: languagesOf(manifest),
    config: { variables: settings(true) },
    provider: {
      description:
        "A provider with its own account, for programs that use several accounts or whose API key is not in the stack's configuration.",
      inputProperties: settings(true),
      properties: settings(false),
    },
    types: {},
    resources: byToken(resources(), (one) => resourceOf(one, types)),
    functions: byToken(dataSources(), (one) => functionOf(one, types)),
  };
  return { ...schema, types: types.all() };
}

function byToken<One extends { readonly name: string }>(all: readonly One[], definition: (one: One) => object) {
  return Object.fromEntries(
    all
      .map((one) => [`neon:index:${one.name}`, definition(one)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** The configuration of the provider. */
function settings(isInput: boolean) {
  const names = (Object.keys(settingNames) as SettingName[]).sort();
  return Object.fromEntries(
    names.map((name) => [
      name,
      {
        type: "string",
        description: settingDescriptions[name],
        ...(name === "apiKey" ? { secret: true } : {}),
        ...(isInput ? { defaultInfo: { environment: [settingNames[name]] } } : {}),
      },
    ]),
  );
}

function resourceOf({ name, inputs, outputs, about }: Resource, types: Types) {
  const secrets = membersOf(outputs).flatMap(([output, { secret }]) => (secret ? [output] : []));
  const declared = types.shapeOf(inputs, name, secrets);
  const known = types.shapeOf(outputs, name, secrets, "output");
  return {
    ...words({ description: about.text }, name),
    inputProperties: declared.properties,
    requiredInputs: declared.required,
    properties: known.properties,
    required: known.required,
    // Stacks that used dynamic providers have their resources under this type.
    aliases: [{ type: `pulumi-nodejs:dynamic/neon:${name}` }],
  };
}

function functionOf({ name, args, answer, list, secrets, about }: DataSource, types: Types) {
  const path = name.charAt(0).toUpperCase() + name.slice(1);
  const definition = words({ description: about.text }, name);
  // A list is the only member of the answer: `The roles of a branch.` of the function that `Lists the roles of a branch.`
  const description = /^Lists (the .+?\.)(?=\s|$)/.exec(definition.description)?.[1]?.replace("the", "The");
  const result =
    list === undefined ? answer : { ...answer, properties: { [list]: { ...answer.properties?.[list], description } } };
  const outputs = objectOf(types.shapeOf(result, path, secrets));
  return membersOf(args).length === 0
    ? { ...definition, outputs }
    : { ...definition, inputs: objectOf(types.shapeOf(args, path)), outputs };
}

function objectOf({ properties, required }: ObjectType) {
  return { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
}
