import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { parse } from "yaml";

type Json = Record<string, unknown>;

const documentName = "openapi";
let loaded: { document: Json; ajv: Ajv } | undefined;
const validators = new Map<string, ValidateFunction | undefined>();

/** Members that the platform answers although the published document does not name them. */
const extraMembers: readonly string[] = [
  // The specification's own list of a project's fields has it.
  "locked",
];

/**
 * Asserts that a response is one that the published OpenAPI document allows: declared status, valid body, no member
 * that the document does not name.
 *
 * @param url The path below the base URL, with or without a query, or the document's template of it.
 */
export function assertConforms(method: string, url: string, status: number, body: unknown): void {
  const template = templateOf(method, url);
  assert.ok(template !== undefined, `the published API has no ${method} ${url}`);
  const schema = schemaPointer(template, method, status);
  const where = `${method} ${template}, status ${status}`;
  if (schema === undefined) {
    assert.ok(body === undefined || body === "", `${where}: the published API answers no body here`);
    return;
  }
  const validate = validatorOf(schema);
  assert.ok(validate(body), `${where}: ${load().ajv.errorsText(validate.errors)}\n${JSON.stringify(body, null, 2)}`);
  assert.deepEqual(unnamedMembers(at(schema), body), [], `${where}: members that the published API does not name`);
}

/** Whether the published document has such a route at all. */
export function isPublished(method: string, url: string): boolean {
  return templateOf(method, url) !== undefined;
}

function load(): { document: Json; ajv: Ajv } {
  if (loaded) return loaded;
  const folder = dirname(require.resolve("@neondatabase/api-client/package.json"));
  const text = readFileSync(join(folder, "public-v2-for-users.gen.yaml"), "utf8");
  const document = parse(text, { uniqueKeys: false }) as Json;
  const ajv = new Ajv({ strict: false, allErrors: true, formats: { int: true } });
  addFormats(ajv);
  ajv.addSchema(document, documentName, undefined, false);
  loaded = { document, ajv };
  return loaded;
}

function templateOf(method: string, url: string): string | undefined {
  const segments = (url.split("?", 1)[0] ?? "").split("/");
  const fits = Object.entries(at("/paths") as Record<string, Json>).filter(([template, operations]) => {
    const parts = template.split("/");
    return (
      method.toLowerCase() in operations &&
      parts.length === segments.length &&
      parts.every((part, index) => part.startsWith("{") || part === segments[index])
    );
  });
  const variables = (template: string): number => template.split("{").length;
  return fits.map(([template]) => template).sort((one, other) => variables(one) - variables(other))[0];
}

/** Where the schema of a response is in the document. */
function schemaPointer(template: string, method: string, status: number): string | undefined {
  const responses = `/paths/${escaped(template)}/${method.toLowerCase()}/responses`;
  const declared = at(responses) as Json;
  let pointer = `${responses}/${String(status) in declared ? status : "default"}`;
  const { $ref } = at(pointer) as { $ref?: string };
  if ($ref !== undefined) pointer = $ref.slice(1);
  assert.ok(status >= 400 || !pointer.includes("GeneralError"), `${method} ${template} does not declare ${status}`);
  const schema = `${pointer}/content/application~1json/schema`;
  return at(schema) === undefined ? undefined : schema;
}

function validatorOf(pointer: string): ValidateFunction {
  const known = validators.get(pointer);
  if (known) return known;
  const made = load().ajv.compile({ $ref: `${documentName}#${encodeURI(pointer)}` });
  validators.set(pointer, made);
  return made;
}

/** The value at a JSON pointer in the document. */
function at(pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((value, token) => (value as Json | undefined)?.[token], load().document);
}

function escaped(token: string): string {
  return token.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The paths of members that a schema does not name. */
function unnamedMembers(schema: unknown, value: unknown, path = ""): string[] {
  const parts = flattened(schema);
  if (Array.isArray(value)) {
    const items = parts.find((part) => part["items"] !== undefined)?.["items"];
    return value.flatMap((item, index) => unnamedMembers(items, item, `${path}[${index}]`));
  }
  if (typeof value !== "object" || value === null) return [];
  const named: Json = Object.assign({}, ...parts.map((part) => part["properties"])) as Json;
  const others = parts.find((part) => part["additionalProperties"] !== undefined)?.["additionalProperties"];
  return Object.entries(value).flatMap(([name, member]) => {
    const inner = named[name] ?? others;
    if (inner === undefined) return extraMembers.includes(name) ? [] : [`${path}.${name}`];
    return unnamedMembers(inner, member, `${path}.${name}`);
  });
}

/** A schema with everything it refers to and is composed of. */
function flattened(schema: unknown): Json[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { $ref, allOf = [] } = schema as { $ref?: string; allOf?: unknown[] };
  return [schema as Json, ...($ref === undefined ? [] : flattened(at($ref.slice(1)))), ...allOf.flatMap(flattened)];
}
