// TypeScript: comments, and the types of JSON schemas.
import { descriptionOf } from "./descriptions.mjs";

/** @typedef {import("./model.mjs").JsonSchema} JsonSchema */

const width = 120;

/**
 * What stands for a value: `input` may be an output of another resource, `output` is one, `result` is a plain value.
 *
 * @typedef {"input" | "output" | "result"} Use
 */

/**
 * @param {string} text In Markdown: paragraphs, or one line.
 * @param {{ readonly indent?: number, readonly blocks?: readonly string[] }} [more]
 */
export function comment(text, { indent = 0, blocks = [] } = {}) {
  const margin = " ".repeat(indent);
  const paragraphs = text.split(/\n\n+/).map((paragraph) => wrapped(paragraph, width - indent - 3).join("\n"));
  const lines = [...paragraphs, ...blocks].join("\n\n").split("\n");
  if (lines.length === 1 && indent + text.length + 7 <= width) return `${margin}/** ${text} */`;
  return [`${margin}/**`, ...lines.map((line) => `${margin} * ${line}`.trimEnd()), `${margin} */`].join("\n");
}

/**
 * The lines of a paragraph. Code and links stay on one line.
 *
 * @param {string} paragraph
 * @param {number} limit
 */
function wrapped(paragraph, limit) {
  const words = paragraph.match(/(?:`[^`]*`|\{@link [^}]*\}|[^\s`])+/g) ?? [];
  return words.reduce((/** @type {string[]} */ lines, word) => {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > limit) return [...lines, word];
    return [...lines.slice(0, -1), `${last} ${word}`];
  }, []);
}

/** @param {readonly string[]} examples */
export function exampleBlocks(examples) {
  return examples.map((example) => `@example\n${example}`);
}

/**
 * The comment of a property.
 *
 * @param {JsonSchema} schema
 * @param {number} [indent]
 */
function propertyComment({ description = "", deprecationMessage }, indent = 2) {
  const blocks = deprecationMessage === undefined ? [] : [`@deprecated ${deprecationMessage}`];
  return comment(description, { indent, blocks });
}

/**
 * @param {string} name
 * @param {string} description
 * @param {JsonSchema} schema
 * @param {Use} use
 */
export function interfaceOf(name, description, schema, use) {
  const blocks = exampleBlocks(descriptionOf(name).examples);
  return `${comment(description, { blocks })}\nexport interface ${name} ${membersOf(schema, use)}`;
}

/**
 * @param {JsonSchema} schema
 * @param {Use} use
 * @returns {string}
 */
function membersOf({ properties = {}, required = [] }, use) {
  const members = Object.entries(properties).map(([name, schema]) => {
    const type = use === "input" ? `pulumi.Input<${typeOf(schema, use)}>` : typeOf(schema, use);
    return `${propertyComment(schema)}\n  readonly ${name}${required.includes(name) ? "" : "?"}: ${type};`;
  });
  return `{\n${members.join("\n")}\n}`;
}

/**
 * The outputs of a class.
 *
 * @param {JsonSchema} schema
 */
export function outputMembers({ properties = {}, required = [] }) {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const absent = required.includes(name) ? "" : " | undefined";
      return `${propertyComment(schema)}\n  declare readonly ${name}: pulumi.Output<${typeOf(schema, "output")}${absent}>;`;
    })
    .join("\n");
}

/**
 * @param {JsonSchema} schema
 * @param {Use} use
 * @returns {string}
 */
export function typeOf(schema, use) {
  const { own, anyOf, items, properties, additionalProperties, enum: values, const: only } = schema;
  const inner = (/** @type {JsonSchema} */ one) =>
    use === "input" ? `pulumi.Input<${typeOf(one, use)}>` : typeOf(one, use);
  if (own?.title !== undefined) return use === "output" && properties ? `pulumi.Unwrap<${own.title}>` : own.title;
  if (anyOf !== undefined)
    return anyOf
      .map((one) => typeOf(one, use))
      .sort()
      .reverse()
      .join(" | ");
  if (values !== undefined || only !== undefined) {
    return (values ?? [only]).map((value) => JSON.stringify(value)).join(" | ");
  }
  if (items !== undefined) {
    const item = inner(items);
    return /[|]/.test(item) && use !== "input" ? `(${item})[]` : `${item}[]`;
  }
  if (properties !== undefined) return membersOf(schema, use);
  if (additionalProperties) {
    const record = `Record<string, ${inner(additionalProperties)}>`;
    return use === "result" ? `Readonly<${record}>` : record;
  }
  return [schema.type]
    .flat()
    .map((type) => (type === "integer" ? "number" : type))
    .join(" | ");
}

/**
 * The named types in a schema, what they refer to before them.
 *
 * @param {JsonSchema} schema
 * @returns {JsonSchema[]}
 */
export function namedIn(schema) {
  const { own, anyOf = [], items, properties = {}, additionalProperties } = schema;
  const parts = [
    ...anyOf,
    ...[items, additionalProperties].filter((one) => typeof one === "object"),
    ...Object.values(properties),
  ];
  return [...parts.flatMap(namedIn), ...(own?.title === undefined ? [] : [schema])];
}

/**
 * The declaration of a named type.
 *
 * @param {JsonSchema} schema
 * @param {Use} use
 */
export function declarationOf(schema, use) {
  const { title = "", description = "" } = schema.own ?? {};
  if (schema.properties !== undefined) return interfaceOf(title, description, schema, use);
  return `${comment(description)}\nexport type ${title} = ${typeOf({ ...schema, own: {} }, use)};`;
}

/**
 * The named types by the file that declares them: the first that uses them.
 *
 * @param {readonly (readonly [file: string, schemas: readonly JsonSchema[]])[]} uses
 */
export function placed(uses) {
  /** @type {Map<string, string>} */
  const files = new Map();
  for (const [file, schemas] of uses) {
    for (const { own } of schemas.flatMap(namedIn)) if (!files.has(own?.title ?? "")) files.set(own?.title ?? "", file);
  }
  return files;
}

/** @param {string} name */
export function lowerFirst(name) {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** @param {string} name */
export function withArticle(name) {
  return /^[AEIO]/.test(name) ? `an ${name}` : `a ${name}`;
}
