import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

import type { AnyKind } from "./kind";

const knownDefaults = new WeakMap<AnyKind["inputs"], ReadonlyMap<string, unknown>>();

/** What Neon uses where the creation of an object names no value, by path, such as `settings.hipaa`: the `default` of an input. */
export function defaultsOf({ inputs }: Pick<AnyKind, "inputs">): ReadonlyMap<string, unknown> {
  const found = knownDefaults.get(inputs) ?? new Map(defaultsIn(inputs(), ""));
  knownDefaults.set(inputs, found);
  return found;
}

/** Whether a value is what Neon uses if the creation names none. */
export function isDefault(kind: Pick<AnyKind, "inputs">, path: string, value: unknown): boolean {
  const defaults = defaultsOf(kind);
  return defaults.has(path) && isDeepStrictEqual(defaults.get(path), value);
}

function defaultsIn(schema: z.ZodType, path: string): readonly (readonly [path: string, value: unknown])[] {
  const { default: own } = schema.meta() ?? {};
  const object = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  const shape = object instanceof z.ZodObject ? (object.shape as Readonly<Record<string, z.ZodType>>) : {};
  const inner = Object.entries(shape).flatMap(([name, member]) =>
    defaultsIn(member, path === "" ? name : `${path}.${name}`),
  );
  return own === undefined ? inner : [[path, own], ...inner];
}
