import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dump, load } from "js-yaml";
import { root } from "../paths.mjs";

/** @typedef {{ type?: string, $ref?: string, items?: Property }} Property */
/** @typedef {{ type: string, properties: Record<string, unknown> }} Resource */

/** The languages besides TypeScript, whose examples are in the comments of `sdk/`. */
export const languages = /** @type {const} */ (["yaml", "python", "go"]);
/** @typedef {(typeof languages)[number]} Language */

const { resources } = /** @type {{ resources: Record<string, Resource> }} */ (
  load(readFileSync(join(import.meta.dirname, "examples.yaml"), "utf8"))
);
const schema = JSON.parse(readFileSync(join(root, "plugin", "schema.json"), "utf8"));

/**
 * The example of a kind, in each language.
 *
 * @param {string} kind
 * @returns {Readonly<Record<Language, string>> | undefined}
 */
export function examplesOf(kind) {
  const found = Object.entries(resources).find(([, { type }]) => type === `neon:${kind}`);
  if (found === undefined) return undefined;
  const [name, resource] = found;
  return {
    yaml: dump({ [name]: resource }).trimEnd(),
    python: pythonResource(name, resource),
    go: goResource(name, resource, `${name}, err :=`),
  };
}

/** A program of all examples, in each language. */
export const programs = /** @satisfies {Record<Language, () => string>} */ ({
  yaml: () => dump({ resources }),
  python: () => `import neon_pulumi as neon\n\n${everyResource(pythonResource)}\n`,
  go: () => `package main

import (
	"github.com/neon-pulumi/neon-pulumi/sdk/go/neon"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		var err error
${indented(
  everyResource((name, resource) => goResource(name, resource, isUsed(name) ? `${name}, err :=` : "_, err =")),
  2,
)}
		return nil
	})
}
`,
});

/** @param {(name: string, resource: Resource) => string} write */
function everyResource(write) {
  return Object.entries(resources)
    .map(([name, resource]) => write(name, resource))
    .join("\n");
}

/** @param {string} name */
function isUsed(name) {
  return JSON.stringify(resources).includes(`\${${name}.`);
}

/** @param {string} name @param {Resource} resource */
function pythonResource(name, { type, properties }) {
  const args = Object.entries(properties).map(([key, value]) => `    ${snake(key)}=${python(value, 1)},`);
  return `${snake(name)} = neon.${kindOf(type)}(\n    ${JSON.stringify(name)},\n${args.join("\n")}\n)`;
}

/** @param {unknown} value @param {number} depth @returns {string} */
function python(value, depth) {
  const reference = referenceIn(value);
  if (reference) return `${snake(reference.name)}.${snake(reference.output)}`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = "    ".repeat(depth + 1);
  const outer = "    ".repeat(depth);
  if (Array.isArray(value)) {
    return `[\n${value.map((item) => `${inner}${python(item, depth + 1)},\n`).join("")}${outer}]`;
  }
  const members = Object.entries(value).map(([key, one]) => `${inner}"${snake(key)}": ${python(one, depth + 1)},\n`);
  return `{\n${members.join("")}${outer}}`;
}

/** @param {string} name @param {Resource} resource @param {string} target */
function goResource(name, { type, properties }, target) {
  const kind = kindOf(type);
  const { inputProperties } = schema.resources[`neon:index:${kind}`];
  const args = goMembers(properties, inputProperties);
  return `${target} neon.New${kind}(ctx, ${JSON.stringify(name)}, &neon.${kind}Args{\n${indented(args, 1)}\n})
if err != nil {
	return err
}`;
}

/**
 * @param {Record<string, unknown>} values
 * @param {Record<string, Property>} properties
 */
function goMembers(values, properties) {
  const names = Object.keys(values).map(pascal);
  const width = Math.max(...names.map((name) => name.length));
  return Object.entries(values)
    .map(([key, value]) => {
      const text = go(value, properties[key] ?? {});
      // gofmt aligns the values of members in one line.
      const space = text.includes("\n") ? " " : " ".repeat(width - pascal(key).length + 1);
      return `${pascal(key)}:${space}${text},`;
    })
    .join("\n");
}

/** @param {unknown} value @param {Property} property @returns {string} */
function go(value, { type, $ref, items }) {
  const reference = referenceIn(value);
  if (reference) return `${reference.name}.${reference.output === "id" ? "ID()" : pascal(reference.output)}`;
  if ($ref !== undefined) {
    const token = $ref.replace("#/types/", "");
    const members = goMembers(/** @type {Record<string, unknown>} */ (value), schema.types[token].properties);
    return `&neon.${token.replace("neon:index:", "")}Args{\n${indented(members, 1)}\n}`;
  }
  if (Array.isArray(value) && items !== undefined) {
    const element = items.$ref?.replace("#/types/neon:index:", "neon.") ?? "pulumi.String";
    return `${element}Array{\n${indented(value.map((item) => `${go(item, items)},`).join("\n"), 1)}\n}`;
  }
  const wrappers = { string: "String", integer: "Int", number: "Float64", boolean: "Bool" };
  return `pulumi.${wrappers[/** @type {keyof typeof wrappers} */ (type)]}(${JSON.stringify(value)})`;
}

/** @param {unknown} value */
function referenceIn(value) {
  const [, name, output] = /^\$\{(\w+)\.(\w+)\}$/.exec(String(value)) ?? [];
  return name !== undefined && output !== undefined ? { name, output } : undefined;
}

/** @param {string} type */
function kindOf(type) {
  return type.slice(type.indexOf(":") + 1);
}

/** @param {string} name */
function snake(name) {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** @param {string} name */
function pascal(name) {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** @param {string} text @param {number} depth */
function indented(text, depth) {
  return text
    .split("\n")
    .map((line) => (line === "" ? line : "\t".repeat(depth) + line))
    .join("\n");
}
