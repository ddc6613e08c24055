import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

import fc from "fast-check";
import { z } from "zod";

import type { Request } from "../../../api/core/request";
import { anyText, anyValue, deepValue, objectOf } from "./unusual";

const folder = join(__dirname, "../../../api/schemas");

/** Every export of the modules of wire schemas, by `module.name`. */
function exported(): [name: string, value: unknown][] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".js"))
    .flatMap((file) =>
      // oxlint-disable-next-line typescript/no-require-imports -- found by looking, so that new ones are covered
      Object.entries(require(join(folder, file)) as object).map(([name, value]): [string, unknown] => [
        `${file.slice(0, -3)}.${name}`,
        value,
      ]),
    );
}

/** All wire schemas that have a name. */
export function wireSchemas() {
  return exported().flatMap(([name, value]) => (value instanceof z.ZodType ? [{ name, schema: value }] : []));
}

/** All functions that make requests of texts alone, each with one of its requests. */
export function requestFunctions() {
  return exported().flatMap(([module, value]) => {
    if (typeof value !== "object" || value === null || value instanceof z.ZodType || Array.isArray(value)) return [];
    return Object.entries(value).flatMap(([verb, member]) => {
      /** `undefined` if no request can contain these texts. */
      const make = (texts: readonly string[]): Request<unknown> | undefined => {
        try {
          return (member as (...texts: readonly string[]) => Request<unknown>)(...texts);
        } catch {
          return undefined;
        }
      };
      const model = make(Array.from({ length: 6 }, () => "a"));
      return model === undefined ? [] : [{ name: `${module}.${verb}`, make, model }];
    });
  });
}

/** At least one of these values fits each simple schema. */
const texts: readonly string[] = [
  ...["a", "100% app/é", "spring-example-302709", "0/1DE2850", "2030-01-31T12:00:00Z", "2030-01-31T14:00:00.5+02:00"],
  ...["09:30", "guest@example.com", "https://auth.example.com/%7Ekeys?a=é", "165434"],
];
const numbers: readonly number[] = [0, 0.25, 0.5, 1, 2, 4, 7, 14, 17, 60, 300, 3600, 86_400, 2_592_000, -1];

/** Values that fit a schema, each part as unusually as its schema allows. */
export function fitting(schema: z.ZodType): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return fitting(schema.unwrap() as z.ZodType);
  }
  if (schema instanceof z.ZodObject) return members(schema.shape);
  if (schema instanceof z.ZodArray) return fc.array(fitting(schema.element as z.ZodType), { maxLength: 3 });
  if (schema instanceof z.ZodRecord) {
    const entry = fc.tuple(unusual(schema.keyType as z.ZodType).map(String), fitting(schema.valueType as z.ZodType));
    return fc.array(entry, { maxLength: 4 }).map(objectOf);
  }
  if (schema instanceof z.ZodUnion) return fc.oneof(...schema.options.map((one) => fitting(one as z.ZodType)));
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodUnknown || schema instanceof z.ZodPipe) return anyValue;
  const examples = [...texts, ...numbers].filter((one) => schema.safeParse(one).success);
  if (examples.length === 0) throw new Error(`no example fits a ${schema.def.type}: add one`);
  return fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...examples) }, { weight: 1, arbitrary: unusual(schema) });
}

/** Odd texts that a schema accepts; another value for a schema that accepts no text. */
function unusual(schema: z.ZodType): fc.Arbitrary<unknown> {
  return anyText.map((text) =>
    schema.safeParse(text).success ? text : (texts.find(fits(schema)) ?? numbers.find(fits(schema))),
  );
}

function fits(schema: z.ZodType): (value: unknown) => boolean {
  return (value) => schema.safeParse(value).success;
}

function members(shape: z.core.$ZodShape): fc.Arbitrary<unknown> {
  const names = Object.keys(shape);
  const isOptional = (name: string): boolean => (shape[name] as z.ZodType).safeParse(undefined).success;
  return fc.record(Object.fromEntries(names.map((name) => [name, fitting(shape[name] as z.ZodType)])), {
    requiredKeys: names.filter((name) => !isOptional(name)),
    noNullPrototype: true,
  });
}

/** Values that fit, and values that do not fit: in one place, or at all. */
export function nearly(schema: z.ZodType): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 4, arbitrary: fitting(schema) },
    { weight: 3, arbitrary: fc.tuple(fitting(schema), spoiling).map(([value, spoil]) => spoiled(value, spoil)) },
    { weight: 2, arbitrary: anyValue },
    { weight: 1, arbitrary: deepValue },
  );
}

interface Spoiling {
  readonly at: readonly number[];
  readonly name: string | undefined;
  readonly value: unknown;
}

const spoiling: fc.Arbitrary<Spoiling> = fc.record({
  at: fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 3 }),
  name: fc.option(anyText, { nil: undefined }),
  value: fc.oneof({ weight: 4, arbitrary: anyValue }, { weight: 1, arbitrary: deepValue }),
});

/** The value with another value somewhere in it, or with one more member. */
function spoiled(value: unknown, { at, name, value: other }: Spoiling): unknown {
  if (Array.isArray(value)) return [...(value as unknown[]), other];
  if (typeof value !== "object" || value === null) return other;
  const entries = Object.entries(value);
  const [first = 0, ...rest] = at;
  const index = first % Math.max(1, entries.length);
  const entry = entries[index];
  if (name !== undefined || entry === undefined) return objectOf([...entries, [name ?? "extra", other]]);
  const inner = rest.length === 0 ? other : spoiled(entry[1], { at: rest, name, value: other });
  return objectOf(entries.map((one, position) => (position === index ? [entry[0], inner] : one)));
}

/** Without the name that no map contains: `check` refuses it, and the schema drops it from responses. */
function withoutPrototype(map: unknown): unknown {
  return objectOf(Object.entries(map as object).filter(([name]) => name !== "__proto__"));
}

/**
 * Where the result of parsing a value differs from the value: what the schema has removed, changed or added. A schema may
 * remove members that it does not name, and add members that have a default.
 */
export function changes(schema: z.ZodType, before: unknown, after: unknown, path = "value"): string[] {
  if (schema instanceof z.ZodDefault && before === undefined) return [];
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return before === null
      ? after === null
        ? []
        : [path]
      : changes(schema.unwrap() as z.ZodType, before, after, path);
  }
  if (schema instanceof z.ZodPipe) return [];
  if (schema instanceof z.ZodArray && Array.isArray(before) && Array.isArray(after)) {
    if (before.length !== after.length) return [path];
    return before.flatMap((item, index) =>
      changes(schema.element as z.ZodType, item, after[index], `${path}[${index}]`),
    );
  }
  if (schema instanceof z.ZodRecord) return isDeepStrictEqual(withoutPrototype(before), after) ? [] : [path];
  if (!(schema instanceof z.ZodObject)) return isDeepStrictEqual(before, after) ? [] : [path];
  if (typeof before !== "object" || before === null || typeof after !== "object" || after === null) return [path];
  const shape = schema.shape as z.core.$ZodShape;
  const [one, other] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((name) => {
    const here = `${path}.${name}`;
    if (Object.hasOwn(shape, name)) return changes(shape[name] as z.ZodType, one.get(name), other.get(name), here);
    if (!other.has(name)) return schema.def.catchall === undefined || name === "__proto__" ? [] : [here];
    return isDeepStrictEqual(one.get(name), other.get(name)) ? [] : [here];
  });
}
