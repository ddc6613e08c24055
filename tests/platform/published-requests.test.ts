import assert from "node:assert/strict";

import { before, describe, it } from "mocha";

import { publishedRequest, publishedRoutes, type PublishedRequest, type Schema } from "../support/openapi";
import { suitePlatform } from "../support/platform";
import { routes } from "../../platform/routes/index";

/** The kinds of mistakes in a value. */
type Kind = "wrong type" | "null" | "missing member" | "out of range" | "not in the enumeration" | "wrong format";

/** A value that the document does not allow, and where it is; `undefined` if nothing is there. */
interface Mistake {
  readonly kind: Kind;
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** A request with one mistake. */
interface Case extends Mistake {
  readonly request: PublishedRequest;
  readonly place: "body" | "query parameter";
  readonly query: string;
  readonly body: unknown;
}

const examples: Readonly<Record<string, string>> = {
  "date-time": "2030-01-31T12:00:00Z",
  email: "a@b.example",
  uri: "https://a.example",
  uuid: "00000000-0000-4000-8000-000000000000",
};

/** A value that has everything that a schema names. */
function sample(schema: Schema): unknown {
  switch (schema.type) {
    case "object":
      return schema.additionalProperties
        ? { a: sample(schema.additionalProperties) }
        : Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, sample(inner)]));
    case "array":
      return [sample(schema.items ?? {})];
    case "boolean":
      return true;
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    case "string":
    case undefined:
      return schema.enum?.[0] ?? examples[schema.format ?? ""] ?? "a";
    default:
      return schema.type satisfies never;
  }
}

/** The mistakes that can be made in a value and below it. */
function mistakesIn(schema: Schema, path: Mistake["path"], isRequired: boolean): Mistake[] {
  const wrong = (kind: Kind, ...values: readonly unknown[]): Mistake[] =>
    values.map((value) => ({ kind, path, value }));
  const { minimum, maximum, minLength, maxLength, minItems = 0, maxItems, maxProperties } = schema;
  return [
    ...(schema.nullable === true ? [] : wrong("null", null)),
    ...(isRequired && path.length > 0 ? wrong("missing member", undefined) : []),
    ...wrong("wrong type", ...(wrongTypes[schema.type ?? "string"] ?? [])),
    ...(minimum === undefined ? [] : wrong("out of range", minimum - 1)),
    ...(maximum === undefined ? [] : wrong("out of range", maximum + 1)),
    ...((minLength ?? 0) > 0 ? wrong("out of range", "") : []),
    ...(maxLength === undefined ? [] : wrong("out of range", "a".repeat(maxLength + 1))),
    ...(minItems > 0 ? wrong("out of range", []) : []),
    ...(maxItems === undefined
      ? []
      : wrong(
          "out of range",
          Array.from({ length: maxItems + 1 }, () => sample(schema.items ?? {})),
        )),
    ...(maxProperties === undefined
      ? []
      : wrong(
          "out of range",
          Object.fromEntries(Array.from({ length: maxProperties + 1 }, (_, index) => [`a${index}`, "a"])),
        )),
    ...(schema.format === "int32" ? wrong("out of range", 2 ** 31) : []),
    ...(schema.enum === undefined ? [] : wrong("not in the enumeration", "none-such")),
    ...(schema.format === "date-time" ||
    schema.format === "email" ||
    schema.format === "uri" ||
    schema.pattern !== undefined
      ? wrong("wrong format", "Not such a one!")
      : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
      mistakesIn(inner, [...path, name], schema.required?.includes(name) ?? false),
    ),
    ...(schema.items ? mistakesIn(schema.items, [...path, 0], false) : []),
    ...(schema.additionalProperties ? mistakesIn(schema.additionalProperties, [...path, "a"], false) : []),
  ];
}

/** Values of other types, by the name of a type. */
const wrongTypes: Readonly<Record<string, readonly unknown[]>> = {
  string: [1, true, {}],
  integer: ["1", 1.5, true],
  number: ["1", false],
  boolean: ["true", 0],
  array: [{}, "a"],
  object: ["a", [], 1],
};

/** A copy with another value at a path. */
function withValue(whole: unknown, path: Mistake["path"], value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (Array.isArray(whole))
    return (whole as unknown[]).map((item, index) => (index === first ? withValue(item, rest, value) : item));
  const members = whole as Record<string, unknown>;
  return { ...members, [first]: withValue(members[first], rest, value) };
}

/** A value with a member in each of its objects that no document names. */
function withUnknown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknown);
  if (typeof value !== "object" || value === null) return value;
  return {
    ...Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withUnknown(inner)])),
    zz_unknown: "1",
  };
}

/** Every request with one mistake in its body. */
function inBodies(request: PublishedRequest): Case[] {
  return request.bodies.flatMap((schema) =>
    mistakesIn(schema, [], true).map((mistake) => ({
      ...mistake,
      request,
      place: "body" as const,
      query: queryOf(request, {}),
      body: withValue(sample(schema), mistake.path, mistake.value),
    })),
  );
}

/** The mistakes that a text can have. */
function textMistakes({ type, enum: values, format, pattern, minimum, maximum }: Schema): Omit<Mistake, "path">[] {
  return [
    ...(type === "integer" ? (["a", "1.5", "true"] as const) : type === "boolean" ? (["a", "2"] as const) : []).map(
      (value) => ({ kind: "wrong type" as const, value }),
    ),
    ...[...(minimum === undefined ? [] : [minimum - 1]), ...(maximum === undefined ? [] : [maximum + 1])].map(
      (value) => ({
        kind: "out of range" as const,
        value: String(value),
      }),
    ),
    ...(values === undefined ? [] : [{ kind: "not in the enumeration" as const, value: "none-such" }]),
    ...(format === undefined && pattern === undefined
      ? []
      : [{ kind: "wrong format" as const, value: "Not such a one!" }]),
  ];
}

/** Every request with one mistake in its query. */
function inQueries(request: PublishedRequest): Case[] {
  return request.parameters
    .filter((parameter) => parameter.in === "query")
    .flatMap(({ name, required, schema }) =>
      [
        ...(required ? [{ kind: "missing member" as const, value: undefined }] : []),
        ...textMistakes(schema.type === "array" ? (schema.items ?? {}) : schema),
      ].map((mistake) => ({
        ...mistake,
        path: [name],
        request,
        place: "query parameter" as const,
        query: queryOf(request, { [name]: mistake.value }),
        body: request.bodies[0] && sample(request.bodies[0]),
      })),
    );
}

/** A query with everything that is required, and with other values. */
function queryOf({ parameters }: PublishedRequest, changed: Record<string, unknown>): string {
  const required = parameters.filter((one) => one.in === "query" && one.required);
  const all = Object.entries({
    ...Object.fromEntries(required.map(({ name, schema }) => [name, sample(schema)])),
    ...changed,
  });
  const query = new URLSearchParams();
  for (const [name, value] of all) if (value !== undefined) query.set(name, value as string);
  return query.size === 0 ? "" : `?${query.toString()}`;
}

const shape = (route: string): string => route.replaceAll(/\{\w+\}|:\w+/g, "{}");

describe("local platform: requests that the published document does not allow", () => {
  const platform = suitePlatform();
  const served = new Set(routes.map(({ method, path }) => shape(`${method} ${path}`)));
  const requests = publishedRoutes()
    .filter((route) => served.has(shape(route)))
    .map(publishedRequest);
  const cases = requests.flatMap((request) => [...inBodies(request), ...inQueries(request)]);
  const places: Record<string, string> = {};
  before(async () => {
    const { project, branch } = await platform().project();
    const organization = await platform().firstOrganization();
    Object.assign(places, {
      project_id: project.id,
      branch_id: branch.id,
      org_id: organization,
      source_org_id: organization,
    });
  });

  const urlOf = ({ template, parameters }: PublishedRequest, query: string): string =>
    template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const { schema = {} } = parameters.find((one) => one.name === name) ?? {};
      return places[name] ?? String(sample(schema));
    }) + query;

  /** How a request is answered otherwise than with what is wrong. */
  async function problemOf({ request, place, path, kind, value, query, body }: Case): Promise<string | undefined> {
    const { method, template } = request;
    const where = `${place} ${path.join(".")}`.trim();
    const name = `${method} ${template}: ${kind}: ${where}`;
    const { status, body: answer } = await platform().call(method, urlOf(request, query), body);
    const isNamed = answer.message.includes(where) || answer.message.includes(`${path.join(".")} (field required)`);
    return status === 400 && isNamed ? undefined : `${name}: ${JSON.stringify(value)}: ${status} ${answer.message}`;
  }

  for (const kind of new Set(cases.map((one) => one.kind))) {
    it(`refuses each ${kind}, and names it`, async () => {
      const problems: string[] = [];
      for (const one of cases.filter((other) => other.kind === kind)) {
        const problem = await problemOf(one);
        if (problem !== undefined) problems.push(problem);
      }
      assert.deepEqual(problems, []);
    });
  }

  it("refuses each missing body that is required", async () => {
    for (const request of requests.filter(({ isBodyRequired }) => isBodyRequired)) {
      const { method, template } = request;
      const { status, body } = await platform().call(method, urlOf(request, queryOf(request, {})));
      assert.deepEqual([status, body.message], [400, "the request has no body"], `${method} ${template}`);
    }
  });

  // What is wrong besides is named, so that nothing is changed here.
  it("ignores members and parameters that the document does not name, and refuses a request for others only", async () => {
    for (const request of requests.filter(({ bodies }) => bodies.length > 0)) {
      for (const schema of request.bodies) {
        const [first = ""] = schema.required?.length ? schema.required : Object.keys(schema.properties ?? {});
        const wrong = schema.properties?.[first]?.nullable === true ? {} : null;
        const sent = withValue(withUnknown(sample(schema)), [first], wrong);
        const { method, template } = request;
        const query = queryOf(request, { zz_unknown: "1" });
        const { status, body } = await platform().call(method, urlOf(request, query), sent);
        assert.equal(status, 400, `${method} ${template}`);
        assert.match(body.message, new RegExp(`: body ${first}: `), `${method} ${template}`);
        assert.doesNotMatch(body.message, /zz_unknown/, `${method} ${template}`);
      }
    }
  });
});
