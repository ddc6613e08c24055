// Writes platform/published/requests.ts: the checks of queries and bodies that the document says, for the operations that the
// routes of the local platform name.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as prettier from "prettier";
import { root } from "../base/paths.mjs";
import { bodyOf, componentOf, Document } from "./read.mjs";

/** @typedef {import("./read.mjs").Part} Part */

/** Where the module is checked in. */
export const requestsFile = join(root, "platform", "published", "requests.ts");

const folders = ["model", "routes"].map((folder) => join(root, "platform", folder));
const idPattern = "^[a-z0-9-]{1,60}$";

/** The text of the module. @returns {Promise<string>} */
export async function requestsOf() {
  const document = new Document();
  const wanted = namedOperations();
  const operations = [...document.operations].filter(([, { operationId }]) => wanted.delete(operationId));
  if (wanted.size > 0) throw new Error(`the document has no operation ${[...wanted].join(", ")}`);
  const writer = new Writer(document);
  const exports = operations.map(([route, operation]) => writer.operation(route, operation));
  const code = [...writer.components.values(), ...exports].join("\n");
  const helpers = ["email", "flag", "id", "instant", "listOf", "mapOf", "object", "uri", "wholeNumber"];
  const text = `// Generated from ${document.name}, by \`npm run document\`. Do not edit.
    import { z } from "zod";

    import { ${helpers.filter((name) => new RegExp(`\\b${name}\\b[^:]`).test(code)).join(", ")} } from "./values";

    ${code}`;
  return await prettier.format(text, { ...(await prettier.resolveConfig(requestsFile)), filepath: requestsFile });
}

/** The ids of the operations that routes take their checks from, as in \`published.createProject\`. */
function namedOperations() {
  const sources = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(join(folder, name), "utf8")),
  );
  return new Set(sources.flatMap((text) => [...text.matchAll(/\bpublished\.(\w+)/g)].map(([, id]) => id)));
}

class Writer {
  /** The schemas that others refer to, after those that they refer to. @type {Map<string, string>} */
  components = new Map();
  #document;

  /** @param {Document} document */
  constructor(document) {
    this.#document = document;
  }

  /** @param {string} route @param {Part} operation */
  operation(route, operation) {
    const { operationId: id, parameters } = operation;
    const query = parameters.filter((/** @type {Part} */ one) => one.in === "query");
    const body = bodyOf(this.#document, operation);
    const members = [
      ...(query.length === 0
        ? []
        : [`query: object("${id}", { ${query.map((/** @type {Part} */ one) => this.#parameter(one)).join()} })`]),
      ...(body === undefined ? [] : [`operationId: "${id}", body: ${this.#schema(body.schema, id)}`]),
      ...(body === undefined || body.isRequired ? [] : ["isBodyOptional: true"]),
    ];
    return `/** ${route} */\nexport const ${id} = { ${members.join()} } as const;\n`;
  }

  /** A parameter of a query, which is a text. @param {Part} parameter */
  #parameter({ name, required = false, schema: given }) {
    const schema = this.#document.resolved(given);
    const { minimum, maximum, default: initial } = schema;
    const value =
      schema.type === "boolean"
        ? "flag"
        : schema.type === "integer"
          ? `wholeNumber(${[minimum ?? 0, ...(maximum === undefined ? [] : [maximum])].join()})`
          : schema.type === "array"
            ? `listOf(${[this.#schema(schema.items, name), schema.minItems ?? 0, ...(schema.maxItems === undefined ? [] : [schema.maxItems])].join()})`
            : this.#schema(schema, name);
    const optional = initial === undefined ? ".optional()" : `.default(${JSON.stringify(initial)})`;
    return `${name}: ${value}${required ? "" : optional}`;
  }

  /** A schema as an expression. @param {Part} schema @param {string} name of what has it @returns {string} */
  #schema(schema, name) {
    if (schema.$ref !== undefined) return this.#component(schema);
    return `${this.#notNull(schema, name)}${schema.nullable === true ? ".nullable()" : ""}`;
  }

  /** @param {Part} schema @param {string} name @returns {string} */
  #notNull(schema, name) {
    if (schema.allOf !== undefined) return this.#all(schema.allOf, name);
    if (schema.oneOf !== undefined) return this.#alternatives(schema);
    switch (schema.type) {
      case "object":
        return this.#object(schema, name);
      case "array":
        return `z.array(${this.#schema(schema.items, name)})${limits(schema.minItems, schema.maxItems)}`;
      case "boolean":
        return "z.boolean()";
      case "integer":
        return `z.${schema.format === "int32" ? "int32" : "int"}()${limits(schema.minimum, schema.maximum)}`;
      case "number":
        return `z.number()${limits(schema.minimum, schema.maximum)}`;
      case "string":
        return text(schema);
      default:
        throw new Error(`${name}: no check is known for a schema of type ${schema.type}`);
    }
  }

  /** @param {Part} schema @param {string} name */
  #object(schema, name) {
    const { properties, additionalProperties, maxProperties } = schema;
    if (properties === undefined && typeof additionalProperties === "object") {
      return `mapOf(${[this.#schema(additionalProperties, name), ...(maxProperties === undefined ? [] : [maxProperties])].join()})`;
    }
    return `object("${name}", { ${this.#members(schema, name)} })`;
  }

  /** @param {Part} schema @param {string} name */
  #members({ properties = {}, required = [] }, name) {
    return Object.entries(/** @type {Record<string, Part>} */ (properties))
      .map(([member, schema]) => {
        const optional = required.includes(member) ? "" : ".optional()";
        return `${member}: ${this.#schema(schema, `${name}.${member}`)}${optional}`;
      })
      .join();
  }

  /** Parts that all hold: one of them with remarks, or objects that are one. @param {Part[]} parts @param {string} name */
  #all(parts, name) {
    const [only, ...others] = parts;
    if (only !== undefined && others.length === 0) return this.#schema(only, name);
    const members = parts.map((part) =>
      part.$ref === undefined ? this.#members(part, name) : `...${this.#component(part)}.shape`,
    );
    return `object("${name}", { ${members.join()} })`;
  }

  /** Alternatives that a member distinguishes. @param {Part} schema */
  #alternatives({ discriminator }) {
    const { propertyName, mapping } = discriminator;
    const options = Object.entries(/** @type {Record<string, string>} */ (mapping)).map(
      ([value, $ref]) => `${this.#component({ $ref })}.extend({ ${propertyName}: z.literal("${value}") })`,
    );
    return `z.discriminatedUnion("${propertyName}", [${options.join()}])`;
  }

  /** The name of the constant for what a part refers to. @param {Part} part */
  #component(part) {
    const component = componentOf(part);
    const name = `${component.charAt(0).toLowerCase()}${component.slice(1)}`;
    if (!this.components.has(name)) {
      const code = this.#schema(this.#document.resolved(part), component);
      this.components.set(name, `const ${name} = ${code};\n`);
    }
    return name;
  }
}

/** @param {Part} schema */
function text({ enum: values, pattern, format, minLength, maxLength }) {
  if (values !== undefined) return `z.enum(${JSON.stringify(values)})`;
  if (pattern === idPattern) return "id";
  if (format === "date-time") return "instant";
  const kind = format === "email" || format === "uri" ? format : "z.string()";
  return `${kind}${pattern === undefined ? "" : `.regex(/${pattern}/)`}${limits(minLength, maxLength)}`;
}

/** @param {number} [min] @param {number} [max] */
function limits(min, max) {
  return `${min === undefined ? "" : `.min(${min})`}${max === undefined ? "" : `.max(${max})`}`;
}
