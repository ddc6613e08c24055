import type { z } from "zod";

import { camelKey, type CamelKey } from "./camel-case";

/** The members of an object schema with names in camelCase. */
export type CamelShape<Shape> = { [Key in keyof Shape as CamelKey<Key>]: Shape[Key] };

/**
 * Renames the members of a wire schema to camelCase. Each keeps its own schema, and with it its limits: the members of a
 * nested object keep their names.
 */
export function camelShape<Shape extends z.ZodRawShape>(shape: Shape): CamelShape<Shape> {
  return Object.fromEntries(
    Object.entries(shape).map(([key, schema]) => [camelKey(key), schema]),
  ) as unknown as CamelShape<Shape>;
}
