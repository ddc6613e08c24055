// What is generated from: the kinds and lookups of `dist`, each schema as the JSON schema that zod writes.
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { basename } from "node:path";
import { z } from "zod";
import { Failure } from "../base/failure.mjs";
import { built } from "../base/paths.mjs";
import { descriptionOf } from "./descriptions.mjs";

/** @typedef {"string" | "boolean" | "integer" | "number" | "array" | "object" | "null"} JsonType */

/**
 * A JSON schema, as far as zod's schemas in this repository need it, with the metadata of `provider/kind/outputs.ts`.
 *
 * @typedef {object} JsonSchema
 * @property {string} [description]
 * @property {string} [deprecationMessage]
 * @property {string} [replacement]
 * @property {true} [secret]
 * @property {true} [protects]
 * @property {{ readonly reason: string, readonly needs?: readonly string[] }} [absence]
 * @property {{ readonly title?: string, readonly description?: string }} [own] The words of the type itself: those of a member
 *   take the place of `description`.
 * @property {JsonType | readonly JsonType[]} [type]
 * @property {Readonly<Record<string, JsonSchema>>} [properties]
 * @property {readonly string[]} [required]
 * @property {JsonSchema | false} [additionalProperties]
 * @property {JsonSchema} [items]
 * @property {readonly JsonSchema[]} [anyOf]
 * @property {readonly string[]} [enum]
 * @property {string} [const]
 */

/**
 * @typedef {object} Resource
 * @property {string} name
 * @property {string} file The file that declares it, in `provider/resources` and `sdk/resources`.
 * @property {string} noun
 * @property {string} constant What exports it.
 * @property {JsonSchema} inputs
 * @property {JsonSchema} outputs
 * @property {readonly string[]} id The outputs that its id holds.
 * @property {Readonly<Record<string, string>>} carries
 * @property {import("./descriptions.mjs").Description} about
 */

/**
 * @typedef {object} DataSource
 * @property {string} name
 * @property {string} file
 * @property {JsonSchema} args
 * @property {JsonSchema} answer
 * @property {string | undefined} list
 * @property {readonly string[]} secrets
 * @property {import("./descriptions.mjs").Description} about
 */

const require = createRequire(import.meta.url);

/**
 * A module of `dist`.
 *
 * @param {...string} segments
 */
export function compiled(...segments) {
  const file = built(...segments);
  try {
    return require(file);
  } catch (error) {
    throw new Failure(`Cannot load ${file}: run \`npm run build\` first.`, String(error));
  }
}

/** @returns {Resource[]} */
export function resources() {
  const { kinds } = compiled("provider", "kinds.js");
  return declared(kinds, "provider", "resources").map(([constant, file, kind]) => ({
    name: kind.name,
    file,
    constant,
    noun: kind.noun,
    inputs: withReplacements(jsonSchema(kind.inputs()), kind),
    outputs: jsonSchema(kind.outputs()),
    id: Object.keys(kind.address("")),
    carries: kind.carries ?? {},
    about: descriptionOf(kind.name),
  }));
}

/**
 * Adds to the description of each input whose change replaces the resource that it does.
 *
 * @param {JsonSchema} inputs
 * @param {any} kind
 * @returns {JsonSchema}
 */
function withReplacements(inputs, { rules, noun }) {
  const properties = Object.entries(inputs.properties ?? {}).map(([name, schema]) => {
    if (rules[name]?.onChange !== "replace") return [name, schema];
    const it = schema.type === "array" || schema.type === "object" ? "them" : "it";
    const when = rules[name].platform === "unaware" ? `${it}, or adding ${it} later,` : it;
    const sentence = `Changing ${when} replaces the ${shortNoun(noun)}.`;
    return [
      name,
      { ...schema, description: [schema.description, sentence, schema.replacement].filter(Boolean).join(" ") },
    ];
  });
  return { ...inputs, properties: Object.fromEntries(properties) };
}

/**
 * The noun that names an object of a kind in a sentence about it: a `schedule`, but a `JWKS URL`.
 *
 * @param {string} noun
 */
export function shortNoun(noun) {
  const last = noun.slice(noun.lastIndexOf(" ") + 1);
  return last === last.toUpperCase() ? noun : last;
}

/** @returns {DataSource[]} */
export function dataSources() {
  const { lookups } = compiled("api", "lookups", "index.js");
  return declared(lookups, "api", "lookups").map(([name, file, lookup]) => ({
    ...lookup,
    file,
    args: jsonSchema(lookup.args),
    answer: jsonSchema(lookup.answer),
    about: descriptionOf(name),
  }));
}

/**
 * What a table holds, by the files that export it.
 *
 * @param {Readonly<Record<string, any>>} table
 * @param {...string} folder
 * @returns {(readonly [constant: string, file: string, value: any])[]}
 */
function declared(table, ...folder) {
  const files = readdirSync(built(...folder)).filter((name) => name.endsWith(".js") && name !== "index.js");
  return files
    .sort()
    .flatMap((name) =>
      Object.entries(compiled(...folder, name)).flatMap(([constant, value]) =>
        table[value?.name] === value ? [/** @type {const} */ ([constant, basename(name, ".js"), value])] : [],
      ),
    );
}

/**
 * @param {import("zod").ZodType} schema
 * @returns {JsonSchema}
 */
function jsonSchema(schema) {
  return /** @type {JsonSchema} */ (
    z.toJSONSchema(schema, {
      io: "input",
      unrepresentable: "any",
      override: ({ zodSchema, jsonSchema: written }) => {
        const { title, description } = z.globalRegistry.get(zodSchema) ?? {};
        if (title !== undefined || written.properties !== undefined) written["own"] ??= { title, description };
      },
    })
  );
}
