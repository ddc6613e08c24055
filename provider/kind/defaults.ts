import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

import type { AnyKind } from "./kind";

const knownDefaults = new WeakMap<AnyKind["inputs"], ReadonlyMap<string, unknown>>();

/**
 * The `default` of each input that has one, by path, such as `settings.hipaa`: Neon uses it if the creation names no
 * value.
 */
export function defaultsOf({ inputs }: Pick<AnyKind, "inputs">): ReadonlyMap<string, unknown> {
  const found = knownDefaults.get(inputs) ?? new Map(metaIn(inputs(), ({ default: own }) => own));
  knownDefaults.set(inputs, found);
  return found;
}

/** Whether a value is the one that Neon uses if the creation names none. */
export function isDefault(kind: Pick<AnyKind, "inputs">, path: string, value: unknown): boolean {
  const defaults = defaultsOf(kind);
  return defaults.has(path) && isDeepStrictEqual(defaults.get(path), value);
}

/** The values of one member of `.meta`, each with the path of its input. */
export function metaIn<Value>(
  schema: z.ZodType,
  member: (meta: z.GlobalMeta) => Value | undefined,
  path = "",
): readonly (readonly [path: string, value: Value])[] {
  const own = member(schema.meta() ?? {});
  const object = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  const shape = object instanceof z.ZodObject ? (object.shape as Readonly<Record<string, z.ZodType>>) : {};
  const inner = Object.entries(shape).flatMap(([name, input]) =>
    metaIn(input, member, path === "" ? name : `${path}.${name}`),
  );
  return own === undefined ? inner : [[path, own], ...inner];
}
