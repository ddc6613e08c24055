// TypeScript: comments, and the types of JSON schemas.
import { type JsonSchema, membersOf } from "./json-schema";
import { descriptionOf } from "./words";

const width = 120;

/**
 * The use of a type: an `input` may be an output of another resource, an `output` is one, and a `result` is a plain
 * value.
 */
export type Use = "input" | "output" | "result";

/**
 * @param text in Markdown: paragraphs, or one line
 * @param blocks blocks that follow the text
 */
export function comment(text: string, { indent = 0, blocks = [] as readonly string[] } = {}): string {
  const margin = " ".repeat(indent);
  const paragraphs = text.split(/\n\n+/).map((paragraph) => wrapped(paragraph, width - indent - 3).join("\n"));
  const lines = [...paragraphs, ...blocks].join("\n\n").split("\n");
  if (lines.length === 1 && indent + text.length + 7 <= width) return `${margin}/** ${text} */`;
  return [`${margin}/**`, ...lines.map((line) => `${margin} * ${line}`.trimEnd()), `${margin} */`].join("\n");
}

/** The lines of a paragraph. Code and links stay on one line. */
function wrapped(paragraph: string, limit: number): readonly string[] {
  const lines: string[] = [];
  for (const word of paragraph.match(/(?:`[^`]*`|\{@link [^}]*\}|[^\s`])+/g) ?? []) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > limit) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

export function exampleBlocks(examples: readonly string[]): readonly string[] {
  return examples.map((example) => `@example\n${example}`);
}

function propertyComment({ description = "", deprecationMessage }: JsonSchema): string {
  const blocks = deprecationMessage === undefined ? [] : [`@deprecated ${deprecationMessage}`];
  return comment(description, { indent: 2, blocks });
}

export function interfaceOf(name: string, description: string, schema: JsonSchema, use: Use): string {
  const blocks = exampleBlocks(descriptionOf(name).examples);
  return `${comment(description, { blocks })}\nexport interface ${name} ${typeLiteral(schema, use)}`;
}

function typeLiteral(schema: JsonSchema, use: Use): string {
  const members = membersOf(schema).map(([name, member]) => {
    const optional = schema.required?.includes(name) === true ? "" : "?";
    return `${propertyComment(member)}\n  readonly ${name}${optional}: ${asInput(typeOf(member, use), use)};`;
  });
  return `{\n${members.join("\n")}\n}`;
}

/** The outputs of a class. */
export function outputMembers(schema: JsonSchema): string {
  return membersOf(schema)
    .map(([name, member]) => {
      const absent = schema.required?.includes(name) === true ? "" : " | undefined";
      return `${propertyComment(member)}\n  declare readonly ${name}: pulumi.Output<${typeOf(member, "output")}${absent}>;`;
    })
    .join("\n");
}

function asInput(type: string, use: Use): string {
  return use === "input" ? `pulumi.Input<${type}>` : type;
}

export function typeOf(schema: JsonSchema, use: Use): string {
  const { own, anyOf, items, properties, additionalProperties, content, enum: values, const: only } = schema;
  if (content !== undefined) return `pulumi.asset.${content === "asset" ? "Asset" : "Archive"}`;
  if (own?.title !== undefined) return use === "output" && properties ? `pulumi.Unwrap<${own.title}>` : own.title;
  if (anyOf !== undefined) {
    const types = anyOf.map((one) => typeOf(one, use));
    return types.sort().reverse().join(" | ");
  }
  if (values !== undefined || only !== undefined) {
    return (values ?? [only]).map((value) => JSON.stringify(value)).join(" | ");
  }
  if (items !== undefined) {
    const item = asInput(typeOf(items, use), use);
    return item.includes("|") && use !== "input" ? `(${item})[]` : `${item}[]`;
  }
  if (properties !== undefined) return typeLiteral(schema, use);
  if (additionalProperties) {
    const record = `Record<string, ${asInput(typeOf(additionalProperties, use), use)}>`;
    return use === "result" ? `Readonly<${record}>` : record;
  }
  return [schema.type]
    .flat()
    .map((type) => (type === "integer" ? "number" : type))
    .join(" | ");
}

/** The named types in schemas, each once, after those that it refers to. */
export function namedIn(schemas: readonly JsonSchema[]): ReadonlyMap<string, JsonSchema> {
  const named = new Map<string, JsonSchema>();
  const visit = (schema: JsonSchema): void => {
    const { own, anyOf = [], items, additionalProperties } = schema;
    const parts = [...anyOf, items, additionalProperties, ...membersOf(schema).map(([, member]) => member)];
    for (const part of parts) if (part) visit(part);
    if (own?.title !== undefined && !named.has(own.title)) named.set(own.title, schema);
  };
  schemas.forEach(visit);
  return named;
}

/** The declaration of a named type. */
export function declarationOf(schema: JsonSchema, use: Use): string {
  const { title = "", description = "" } = schema.own ?? {};
  if (schema.properties !== undefined) return interfaceOf(title, description, schema, use);
  return `${comment(description)}\nexport type ${title} = ${typeOf({ ...schema, own: {} }, use)};`;
}
