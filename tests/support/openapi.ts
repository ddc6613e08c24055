import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import * as yaml from "js-yaml";

import { routes } from "../../platform/routes/index";

type Json = Record<string, unknown>;

/** The published document, and values that are derived from it once. */
interface Published {
  readonly document: Json;
  readonly ajv: Ajv;
  /** Those with the fewest variables first, because a path can match several. */
  readonly routes: readonly PublishedRoute[];
}

/** A route of the published document. */
interface PublishedRoute {
  readonly method: string;
  readonly template: string;
  /** The pattern of its paths, with a group for each variable. */
  readonly pattern: RegExp;
}

/** The content of a schema, with its references and parts resolved. */
interface Shape {
  readonly items: unknown;
  readonly members: Json;
  readonly others: unknown;
  readonly required: readonly string[];
  readonly enum: readonly unknown[] | undefined;
}

const documentName = "openapi";
let loaded: Published | undefined;
const validators = new Map<string, ValidateFunction | undefined>();

/** Members, by the end of their path, that requests or responses have although the published document does not name them. */
const extraMembers: readonly string[] = [
  // The real service returned these.
  ...["project.slug", "projects.slug", "branch.slug", "branches.slug"],
  ...["slug", "project_slug", "branch_slug", "hosts", "group"].flatMap((name) => [
    `endpoint.${name}`,
    `endpoints.${name}`,
  ]),
  // The types of `@neon/sdk`, which are newer than the document, have these.
  ...["snapshot.slug", "snapshots.slug", "snapshot.expires_at"],
];

/**
 * Asserts that the published OpenAPI document allows a response: declared status, valid body, no member
 * that the document does not name.
 *
 * @param url The path below the base URL, with or without a query, or the document's template of it.
 */
export function assertConforms(method: string, url: string, status: number, body: unknown): void {
  const differences = differencesFrom(method, url, status, body);
  if (differences.length > 0) assert.fail(`${differences.join("\n")}\n${JSON.stringify(body, null, 2)}`);
}

/**
 * The differences of a response from the published OpenAPI document. They contain no value of the response, so
 * they can be shown for responses with secrets.
 *
 * @param strict whether unknown members and unknown values of enumerations count, too: the real
 *   platform is ahead of it
 */
export function differencesFrom(method: string, url: string, status: number, body: unknown, strict = true): string[] {
  const template = routeOf(method, url)?.template;
  if (template === undefined) return [`the published API has no ${method} ${url.split("?", 1)[0] ?? ""}`];
  const where = `${method} ${template}, status ${status}`;
  const schema = schemaPointer(template, method, status);
  if (schema === "undeclared") return [`${where}: the published API does not declare this status`];
  if (schema === undefined) {
    return body === undefined || body === "" ? [] : [`${where}: the published API answers no body here`];
  }
  const validate = validatorOf(schema);
  validate(body);
  const errors = (validate.errors ?? []).filter(({ keyword }) => strict || keyword !== "enum");
  if (errors.length > 0) return [`${where}: ${load().ajv.errorsText(errors)}`];
  const unnamed = strict ? unnamedMembers(at(schema), body) : [];
  return unnamed.map((member) => `${where}: the published API does not name ${member}`);
}

/**
 * The differences of a request from the published OpenAPI document: its path with the patterns of ids, its query and
 * its body. Unknown names count.
 *
 * @param url The path below the base URL, with its query.
 */
export function requestDifferencesFrom(method: string, url: string, body: unknown): string[] {
  const [path = "", search = ""] = url.split("?", 2);
  const route = routeOf(method, path);
  if (route === undefined) return isServed(method, path) ? [] : [`nothing is published as ${method} ${path}`];
  const { template, pattern } = route;
  const pointer = `/paths/${escaped(template)}/${method.toLowerCase()}`;
  const parameters = parametersOf(pointer);
  const variables = pattern.exec(path)?.groups ?? {};
  const query = new URLSearchParams(search);
  const unknown = [...query.keys()].filter(
    (name) => !parameters.some((one) => one.in === "query" && one.name === name),
  );
  return [
    ...parameters.flatMap((parameter) =>
      parameterProblems(
        parameter,
        parameter.in === "path" ? [decodeURIComponent(variables[parameter.name] ?? "")] : query.getAll(parameter.name),
      ),
    ),
    ...unknown.map((name) => `the document has no query parameter ${name}`),
    ...bodyProblems(pointer, body),
  ].map((problem) => `${method} ${template}: ${problem}`);
}

/** A parameter of an operation, and where its schema is in the document. */
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: string;
}

/** The parameters of an operation, with those of its path. */
function parametersOf(operation: string): Parameter[] {
  return [operation.slice(0, operation.lastIndexOf("/")), operation].flatMap((holder) =>
    ((at(`${holder}/parameters`) as object[] | undefined) ?? []).map((_, index) => {
      const pointer = resolved(`${holder}/parameters/${index}`);
      const { name, in: place, required = false } = at(pointer) as { name: string; in: string; required?: boolean };
      return { name, in: place, required, schema: `${pointer}/schema` };
    }),
  );
}

function parameterProblems({ name, in: place, required, schema }: Parameter, texts: readonly string[]): string[] {
  const where = `${place} parameter ${name}${place === "path" ? ` "${texts.join()}"` : ""}`;
  if (texts.length === 0) return required ? [`${where} is missing`] : [];
  const { type } = at(resolved(schema)) as { type?: string };
  const value = type === "array" ? texts : valueOf(type, texts.join(","));
  const validate = validatorOf(schema);
  return validate(value) ? [] : [`${where}${load().ajv.errorsText(validate.errors, { dataVar: ":" })}`];
}

/** The value of a text in a path or query. */
function valueOf(type: string | undefined, text: string): unknown {
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  return (type === "integer" || type === "number") && text.trim() !== "" ? Number(text) : text;
}

function bodyProblems(operation: string, body: unknown): string[] {
  if (at(`${operation}/requestBody`) === undefined) {
    return body === undefined ? [] : ["the document has no body here"];
  }
  const request = resolved(`${operation}/requestBody`);
  const { required = false } = at(request) as { required?: boolean };
  if (body === undefined) return required ? ["the body is missing"] : [];
  const schema = `${request}/content/application~1json/schema`;
  // The document describes the members of a form by their type only.
  if (at(schema) === undefined) return [];
  const validate = validatorOf(schema);
  validate(body);
  return [
    ...(validate.errors ? [load().ajv.errorsText(validate.errors, { dataVar: "body" })] : []),
    ...unnamedMembers(at(schema), body).map((member) => `the document does not name body${member}`),
  ];
}

/** The pointer to a value, after following references. */
function resolved(pointer: string): string {
  const { $ref } = at(pointer) as { $ref?: string };
  return $ref === undefined ? pointer : resolved($ref.slice(1));
}

/** Whether the local platform has a route. If this document lacks one, the types of `@neon/sdk` have it. */
function isServed(method: string, path: string): boolean {
  return routes.some(
    (route) => route.method === method && new RegExp(`^${route.path.replaceAll(/:\w+/g, "[^/]+")}$`).test(path),
  );
}

/** Whether the published document has a route. */
export function isPublished(method: string, url: string): boolean {
  return routeOf(method, url) !== undefined;
}

/** The routes of the published document, such as `GET /projects/{project_id}`. */
export function publishedRoutes(): string[] {
  return load().routes.map(({ method, template }) => `${method} ${template}`);
}

/** A schema without references, with its parts merged. */
export interface Schema {
  readonly type?: "object" | "array" | "boolean" | "integer" | "number" | "string";
  readonly format?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
}

/** The allowed requests of an operation. */
export interface PublishedRequest {
  readonly method: string;
  readonly template: string;
  readonly parameters: readonly (Omit<Parameter, "schema"> & { readonly schema: Schema })[];
  readonly isBodyRequired: boolean;
  /** The schemas of the body: none, one, or one for each alternative. */
  readonly bodies: readonly Schema[];
}

/** The requests of a route, according to the published document. */
export function publishedRequest(route: string): PublishedRequest {
  const [method = "", template = ""] = route.split(" ");
  const operation = `/paths/${escaped(template)}/${method.toLowerCase()}`;
  const body = at(`${operation}/requestBody`) === undefined ? undefined : at(resolved(`${operation}/requestBody`));
  const { required = false, content } = (body ?? {}) as { required?: boolean; content?: Record<string, Json> };
  const schema = content?.["application/json"]?.["schema"];
  return {
    method,
    template,
    parameters: parametersOf(operation).map((one) => ({ ...one, schema: plain(at(one.schema))[0] ?? {} })),
    isBodyRequired: required,
    bodies: schema === undefined ? [] : plain(schema),
  };
}

/** A schema with references and parts merged, once for each alternative. */
function plain(schema: unknown): Schema[] {
  const { $ref, allOf, oneOf, ...own } = schema as Json & { $ref?: string; allOf?: unknown[]; oneOf?: unknown[] };
  if ($ref !== undefined) return plain(at($ref.slice(1)));
  const parts = (allOf ?? []).map((part) => plain(part)[0] ?? {});
  const one = (inner: unknown): Schema | undefined => (inner === undefined ? undefined : plain(inner)[0]);
  const merged = {
    ...Object.assign({}, ...parts),
    ...own,
    properties: Object.assign(
      {},
      ...parts.map(({ properties }) => properties),
      Object.fromEntries(Object.entries((own["properties"] ?? {}) as Json).map(([name, inner]) => [name, one(inner)])),
    ) as Record<string, Schema>,
    required: [...parts, own as Schema].flatMap(({ required = [] }) => required),
    items: one(own["items"]),
    additionalProperties:
      typeof own["additionalProperties"] === "object" ? one(own["additionalProperties"]) : undefined,
  } as Schema;
  return oneOf === undefined ? [merged] : oneOf.flatMap(plain);
}

/** An object of a response, according to the published document. */
export interface PublishedObject {
  /** The named members, with their allowed values; empty for a map with free names. */
  readonly named: Readonly<
    Record<string, { readonly required: boolean; readonly enum: readonly unknown[] | undefined }>
  >;
}

/** Applies a function to each object of a response that the document describes, innermost first. */
export function reworded(
  method: string,
  url: string,
  status: number,
  body: unknown,
  change: (value: Readonly<Json>, object: PublishedObject) => Json,
): unknown {
  const template = routeOf(method, url)?.template;
  const schema = template === undefined ? undefined : schemaPointer(template, method, status);
  return schema === undefined || schema === "undeclared" ? body : rewordedBy(at(schema), body, change);
}

function rewordedBy(
  schema: unknown,
  value: unknown,
  change: (value: Readonly<Json>, object: PublishedObject) => Json,
): unknown {
  const { items, members, others, required } = shapeOf(schema);
  if (Array.isArray(value)) return value.map((item) => rewordedBy(items, item, change));
  if (typeof value !== "object" || value === null) return value;
  const named = Object.fromEntries(
    Object.entries(members).map(([name, member]) => [
      name,
      { required: required.includes(name), enum: shapeOf(member).enum },
    ]),
  );
  const inner = Object.entries(value).map(([name, member]) => [
    name,
    rewordedBy(Object.hasOwn(members, name) ? members[name] : others, member, change),
  ]);
  return change(Object.fromEntries(inner) as Json, { named });
}

function load(): Published {
  if (loaded) return loaded;
  const folder = dirname(require.resolve("@neondatabase/api-client/package.json"));
  const text = readFileSync(join(folder, "public-v2-for-users.gen.yaml"), "utf8");
  // The document repeats some keys, which `json` allows.
  const document = yaml.load(text, { json: true, schema: yaml.CORE_SCHEMA }) as Json;
  for (const schema of Object.values((document["components"] as Record<string, Json>)["schemas"] as Json)) {
    discriminate(schema as Json);
  }
  const ajv = new Ajv({ strict: false, allErrors: true, formats: { int: true, uint64: true } });
  addFormats(ajv);
  ajv.addSchema(document, documentName, undefined, false);
  loaded = { document, ajv, routes: routesIn(document) };
  return loaded;
}

/** Adds the values of discriminators to the alternatives, because validators of JSON Schema ignore discriminators. */
function discriminate(schema: Json): void {
  const { discriminator } = schema as { discriminator?: { propertyName: string; mapping?: Record<string, string> } };
  if (discriminator?.mapping === undefined || schema["oneOf"] === undefined) return;
  const { propertyName, mapping } = discriminator;
  schema["oneOf"] = Object.entries(mapping).map(([value, $ref]) => ({
    type: "object",
    required: [propertyName],
    properties: { [propertyName]: { type: "string", enum: [value] } },
    allOf: [{ $ref }],
  }));
  delete schema["discriminator"];
}

function routeOf(method: string, url: string): PublishedRoute | undefined {
  const [path = ""] = url.split("?", 1);
  return load().routes.find((route) => route.method === method && route.pattern.test(path));
}

function routesIn(document: Json): readonly PublishedRoute[] {
  const variables = ({ template }: PublishedRoute): number => template.split("{").length;
  return Object.entries(document["paths"] as Record<string, Json>)
    .flatMap(([template, { parameters: _, ...operations }]) => {
      const pattern = new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]*)")}$`);
      return Object.keys(operations).map((method) => ({ method: method.toUpperCase(), template, pattern }));
    })
    .sort((one, other) => variables(one) - variables(other));
}

/** The pointer to the schema of a response, if the document has one. */
function schemaPointer(template: string, method: string, status: number): string | undefined {
  const responses = `/paths/${escaped(template)}/${method.toLowerCase()}/responses`;
  const declared = at(responses) as Json;
  let pointer = `${responses}/${String(status) in declared ? status : "default"}`;
  const { $ref } = at(pointer) as { $ref?: string };
  if ($ref !== undefined) pointer = $ref.slice(1);
  if (status < 400 && pointer.includes("GeneralError")) return "undeclared";
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

/** The paths of members in a value that the schema does not name. */
function unnamedMembers(schema: unknown, value: unknown, path = ""): string[] {
  const { items, members, others } = shapeOf(alternative(schema, value));
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => unnamedMembers(items, item, `${path}[${index}]`));
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const inner = members[name] ?? others;
    const whole = `${path}.${name}`;
    const isExtra = extraMembers.some((end) => whole.replaceAll(/\[\d+\]/g, "").endsWith(`.${end}`));
    if (inner === undefined) return isExtra ? [] : [whole];
    return unnamedMembers(inner, member, `${path}.${name}`);
  });
}

/** The alternative of a schema that a value names, or the schema itself. */
function alternative(schema: unknown, value: unknown): unknown {
  const { $ref, oneOf = [] } = (schema ?? {}) as {
    $ref?: string;
    oneOf?: { properties?: Record<string, { enum?: unknown[] }> }[];
  };
  if ($ref !== undefined) return alternative(at($ref.slice(1)), value);
  const chosen = oneOf.find(({ properties = {} }) =>
    Object.entries(properties).some(([name, { enum: known = [] }]) => known.includes((value as Json | null)?.[name])),
  );
  return chosen ?? schema;
}

const shapes = new WeakMap<object, Shape>();

/** The parts of a schema about the items of a list, the members of an object, and a value. */
function shapeOf(schema: unknown): Shape {
  if (typeof schema !== "object" || schema === null) return readShape([]);
  const known = shapes.get(schema);
  if (known !== undefined) return known;
  const shape = readShape(flattened(schema));
  shapes.set(schema, shape);
  return shape;
}

function readShape(parts: readonly Json[]): Shape {
  const first = (name: string): unknown => parts.find((part) => part[name] !== undefined)?.[name];
  return {
    items: first("items"),
    members: Object.assign({}, ...parts.map((part) => part["properties"])) as Json,
    others: first("additionalProperties"),
    required: parts.flatMap((part) => (part["required"] as string[] | undefined) ?? []),
    enum: first("enum") as unknown[] | undefined,
  };
}

/** A schema, the schemas that it refers to, and its parts. */
function flattened(schema: unknown): Json[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { $ref, allOf = [], oneOf = [] } = schema as { $ref?: string; allOf?: unknown[]; oneOf?: unknown[] };
  const referred = $ref === undefined ? [] : flattened(at($ref.slice(1)));
  // A value can have the members of any alternative. The required ones are not known here.
  const alternatives = oneOf.flatMap(flattened).map(({ properties }) => ({ properties }));
  return [schema as Json, ...referred, ...allOf.flatMap(flattened), ...alternatives];
}
