import { isDeepStrictEqual } from "node:util";

import { type CamelCased, camelKey, fromWire, isUserMap } from "../api/core/camel-case";
import { Content } from "./content";

/** Plain values by name: inputs, outputs. */
export type Values = Readonly<Record<string, unknown>>;

/** Stands for a value that is not known yet: in a preview, the output of something that is still to be made. */
export const unknownValue: unique symbol = Symbol("unknown");

/** Whether a value has members. A file or archive is one value. */
export function isObject(value: unknown): value is Values | readonly unknown[] {
  return typeof value === "object" && value !== null && !(value instanceof Content);
}

/** Whether a value is an object with declared members, each a value of its own, rather than one value. */
function isNested(name: string, value: unknown): value is Values {
  return isObject(value) && !Array.isArray(value) && !isUserMap(name) && Object.keys(value).length > 0;
}

/** The paths of all single values in here, such as `compute.autoscalingLimitMaxCu`. */
export function leafPaths(values: Values, prefix = ""): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return isNested(name, value) ? leafPaths(value, `${prefix}${name}.`) : [prefix + name];
  });
}

export function at(values: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      isObject(value) && Object.hasOwn(value, key) ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    values,
  );
}

/** The value at a dotted path. */
export function atPath(values: unknown, path: string): unknown {
  return at(values, path.split("."));
}

/** The values at these paths, without paths that have none. */
export function pick(values: Values, paths: readonly string[]): Values {
  return paths.reduce<Values>((picked, path) => {
    const value = declaredAt(values, path);
    return value === undefined ? picked : withValue(picked, path.split("."), value);
  }, {});
}

/** The value as a program declares it that declares nothing below this path: an object has no members, as `compute: {}`. */
export function declaredAt(values: Values, path: string): unknown {
  const value = atPath(values, path);
  return isNested(path.slice(path.lastIndexOf(".") + 1), value) ? {} : value;
}

/** The same values with another one at this path. */
export function withValue(values: Values, [key, ...rest]: readonly string[], value: unknown): Values {
  if (key === undefined) return values;
  const below = values[key];
  const nested = isObject(below) && !Array.isArray(below) ? (below as Values) : {};
  return { ...values, [key]: rest.length === 0 ? value : withValue(nested, rest, value) };
}

/** The same values with another one at this path, which exists: an entry of a list, too. */
export function replacedAt<Whole>(whole: Whole, [key, ...rest]: readonly string[], value: unknown): Whole {
  if (key === undefined) return value as Whole;
  const replaced = replacedAt(at(whole, [key]), rest, value);
  return (Array.isArray(whole) ? whole.with(Number(key), replaced) : { ...whole, [key]: replaced }) as Whole;
}

/** Whether there is something unknown in a value. */
export function holdsUnknown(value: unknown): boolean {
  if (value === unknownValue) return true;
  if (value instanceof Content) return holdsUnknown(value.source);
  if (!isObject(value)) return false;
  return Object.values(value).some(holdsUnknown);
}

/** The same value with every part for which `replace` has something else replaced by it. */
export function mapDeep(value: unknown, replace: (part: unknown) => unknown): unknown {
  const replaced = replace(value);
  if (replaced !== value) return replaced;
  if (Array.isArray(value)) return value.map((item) => mapDeep(item, replace));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapDeep(member, replace)]));
}

/** The same value without `undefined` members: the protocol cannot encode them, and never returns. */
export function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (member === undefined ? [] : [[name, withoutUndefined(member)]])),
  );
}

/** Whether `whole` has all members of `part`, both with wire names. A map with user-defined keys is one value. */
export function contains(whole: unknown, part: unknown): boolean {
  if (part === undefined) return true;
  // A number travels without the sign of its zero.
  if (part === 0) return whole === part;
  if (!isObject(part) || Array.isArray(part)) return isDeepStrictEqual(whole, part);
  return Object.entries(part).every(([name, value]) => {
    const there = at(whole, [name]);
    return isUserMap(camelKey(name)) ? isDeepStrictEqual(there ?? {}, value) : contains(there, value);
  });
}
/** An object type whose members that can be `undefined` are optional instead. */
type OmitUndefined<Values> = {
  [Name in keyof Values as undefined extends Values[Name] ? never : Name]: Values[Name];
} & {
  [Name in keyof Values as undefined extends Values[Name] ? Name : never]?: Exclude<Values[Name], undefined>;
};

/** The same object without its members that are `undefined`. */
export function omitUndefined<Values extends object>(values: Values): OmitUndefined<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as OmitUndefined<Values>;
}

/** These members of what the platform reports, as outputs: in camelCase, without those that it leaves out. */
export function outputsIn<Found extends object, Name extends keyof Found & string>(
  found: Found,
  ...names: readonly Name[]
): OmitUndefined<CamelCased<Pick<Found, Name>>> {
  const members = names.map((name) => [name, found[name]] as const);
  return omitUndefined(fromWire(Object.fromEntries(members) as Pick<Found, Name>) as object) as OmitUndefined<
    CamelCased<Pick<Found, Name>>
  >;
}
