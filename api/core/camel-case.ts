/** Converts `snake_case` to `snakeCase`. */
export type CamelKey<Key> = Key extends `${infer Head}_${infer Tail}`
  ? Tail extends Capitalize<Tail>
    ? `${Head}_${CamelKey<Tail>}`
    : `${Head}${Capitalize<CamelKey<Tail>>}`
  : Key;

/** A wire value with member names in camelCase. Maps keep their keys. */
export type CamelCased<Value> = Value extends readonly (infer Item)[]
  ? CamelCased<Item>[]
  : Value extends object
    ? string extends keyof Value
      ? Value
      : { [Key in keyof Value as CamelKey<Key>]: CamelCased<Value[Key]> }
    : Value;

/** Converts `snakeCase` to `snake_case`. */
export type SnakeKey<Key> = Key extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeKey<Tail>}`
  : Key;

/** A value with member names in snake_case, as on the wire. Maps keep their keys. */
export type SnakeCased<Value> = Value extends readonly (infer Item)[]
  ? SnakeCased<Item>[]
  : Value extends object
    ? string extends keyof Value
      ? Value
      : { [Key in keyof Value as SnakeKey<Key>]: SnakeCased<Value[Key]> }
    : Value;

/** Converts a wire name to camelCase. Keeps an underscore before a digit, so that {@link snakeKey} restores the name. */
export function camelKey(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Converts a camelCase name to a wire name. */
export function snakeKey(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Members that hold a map with user-defined keys, which are never renamed. */
const userMaps = new Set([
  "annotations",
  "annotation_value",
  "environment",
  "metadata",
  "pg_settings",
  "pgbouncer_settings",
]);

/** Converts the member names of a wire value to camelCase. Maps with user-defined keys stay unchanged. */
export function fromWire<Value>(value: Value): CamelCased<Value> {
  return rename(value, camelKey, userMaps) as CamelCased<Value>;
}

const userMapsInCamel: ReadonlySet<string> = new Set([...userMaps].map(camelKey));

/** Whether the member with this camelCase name is a map with user-defined keys, to be treated as one value. */
export function isUserMap(name: string): boolean {
  return userMapsInCamel.has(name);
}

/** Converts the member names of a value to wire names. Maps with user-defined keys stay unchanged. */
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
