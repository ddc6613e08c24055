import { z } from "zod";

/** `snake_case` as `snakeCase`. */
export type CamelKey<Key> = Key extends `${infer Head}_${infer Tail}`
  ? Tail extends Capitalize<Tail>
    ? `${Head}_${CamelKey<Tail>}`
    : `${Head}${Capitalize<CamelKey<Tail>>}`
  : Key;

/** A wire value with its member names in camelCase. Maps of free text keep theirs. */
export type CamelCased<Value> = Value extends readonly (infer Item)[]
  ? CamelCased<Item>[]
  : Value extends object
    ? string extends keyof Value
      ? Value
      : { [Key in keyof Value as CamelKey<Key>]: CamelCased<Value[Key]> }
    : Value;

/** `snakeCase` as `snake_case`. */
export type SnakeKey<Key> = Key extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeKey<Tail>}`
  : Key;

/** A value with its member names as the wire writes them. Maps of free text keep theirs. */
export type SnakeCased<Value> = Value extends readonly (infer Item)[]
  ? SnakeCased<Item>[]
  : Value extends object
    ? string extends keyof Value
      ? Value
      : { [Key in keyof Value as SnakeKey<Key>]: SnakeCased<Value[Key]> }
    : Value;

/** The schema with the member names in camelCase. */
type CamelSchema<Schema> =
  Schema extends z.ZodOptional<infer Inner extends z.ZodType>
    ? z.ZodOptional<z.ZodType<CamelCased<z.infer<Inner>>>>
    : Schema extends z.ZodType
      ? z.ZodType<CamelCased<z.infer<Schema>>>
      : never;

/** The members of an object schema with their names in camelCase. */
export type CamelShape<Shape> = { [Key in keyof Shape as CamelKey<Key>]: CamelSchema<Shape[Key]> };

/** A wire member's name in camelCase. Only what has a capital is joined, so that the way back is found. */
export function camelKey(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** A camelCase name as the wire writes it. */
export function snakeKey(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * The members of a wire schema for people who write camelCase: the same rules, so that what is allowed is said once.
 * Objects below become strict: a program with a member nobody knows has a spelling mistake.
 */
export function camelShape<Shape extends z.ZodRawShape>(shape: Shape): CamelShape<Shape> {
  return Object.fromEntries(
    Object.entries(shape).map(([key, schema]) => [camelKey(key), camelSchema(schema as z.ZodType)]),
  ) as CamelShape<Shape>;
}

function camelSchema(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional) return camelSchema(schema.unwrap() as z.ZodType).optional();
  if (schema instanceof z.ZodObject) return z.strictObject(camelShape(schema.shape as z.ZodRawShape));
  return schema;
}

/** Members whose value is the user's own map, whose keys are not ours to rename. */
const userMaps = new Set(["annotations", "annotation_value", "pg_settings", "pgbouncer_settings"]);

/** A wire value with its member names in camelCase; maps of the user's own keys are left as they are. */
export function fromWire<Value>(value: Value): CamelCased<Value> {
  return rename(value, camelKey, userMaps) as CamelCased<Value>;
}

const userMapsInCamel: ReadonlySet<string> = new Set([...userMaps].map(camelKey));

/** Whether the member of this camelCase name is a map of the user's own keys: one value, not an object of ours. */
export function isUserMap(name: string): boolean {
  return userMapsInCamel.has(name);
}

/** The same the other way round. */
export function toWire<Value>(value: Value): SnakeCased<Value> {
  return rename(value, snakeKey, userMapsInCamel) as SnakeCased<Value>;
}

function rename(value: unknown, key: (name: string) => string, verbatim: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, key, verbatim));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      key(name),
      verbatim.has(name) ? member : rename(member, key, verbatim),
    ]),
  );
}
