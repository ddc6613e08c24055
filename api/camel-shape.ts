import { z } from "zod";

import { type CamelCased, camelKey, type CamelKey } from "./camel-case";

/** A schema with member names in camelCase. */
type CamelSchema<Schema> =
  Schema extends z.ZodOptional<infer Inner extends z.ZodType>
    ? z.ZodOptional<z.ZodType<CamelCased<z.infer<Inner>>>>
    : Schema extends z.ZodType
      ? z.ZodType<CamelCased<z.infer<Schema>>>
      : never;

/** The members of an object schema with names in camelCase. */
export type CamelShape<Shape> = { [Key in keyof Shape as CamelKey<Key>]: CamelSchema<Shape[Key]> };

/**
 * Converts the members of a wire schema to camelCase, with the same limits. Nested objects become strict, because an
 * unknown member in a program is a spelling mistake.
 */
export function camelShape<Shape extends z.ZodRawShape>(shape: Shape): CamelShape<Shape> {
  return Object.fromEntries(
    Object.entries(shape).map(([key, schema]) => [camelKey(key), camelSchema(schema as z.ZodType)]),
  ) as CamelShape<Shape>;
}

/** Converts a wire schema of an object to a strict schema with member names in camelCase. */
export function camelObject<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) {
  return z.strictObject(camelShape(schema.shape));
}

function camelSchema(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional) return camelSchema(schema.unwrap() as z.ZodType).optional();
  if (schema instanceof z.ZodObject) return camelObject(schema);
  return schema;
}
