import { z } from "zod";

import type { CamelKey } from "../core/camel-case";
import { camelShape } from "../core/camel-shape";

/** The members of a result: the wire members, with names in camelCase. */
type ResultShape<Shape> = { [Key in keyof Shape as CamelKey<Key>]: ResultSchema<Shape[Key]> };
type ResultSchema<Schema> =
  Schema extends z.ZodOptional<infer Inner>
    ? z.ZodOptional<Known<ResultSchema<Inner>, z.core.SomeType>>
    : Schema extends z.ZodArray<infer Element>
      ? z.ZodArray<Known<ResultSchema<Element>, z.core.SomeType>>
      : Schema extends z.ZodObject<infer Shape>
        ? z.ZodObject<Known<ResultShape<Shape>, z.core.$ZodShape>, z.core.$strict>
        : Schema;
type Known<Type, Bound> = Type extends Bound ? Type : never;

/** The schema of a result with these members of the API. */
export function resultOf<Shape extends z.ZodRawShape>(wire: z.ZodObject<Shape>, title: string, description: string) {
  return (inCamelCase(wire) as ResultSchema<z.ZodObject<Shape>>).meta({ title, description });
}

function inCamelCase(schema: z.ZodType): z.ZodType {
  const renamed = inner(schema);
  return renamed === schema ? schema : renamed.meta(schema.meta() ?? {});
}

/** The schema with renamed members, without its metadata. A schema without members or items is returned as it is. */
function inner(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional) return inCamelCase(schema.unwrap() as z.ZodType).optional();
  if (schema instanceof z.ZodArray) return z.array(inCamelCase(schema.element as z.ZodType));
  if (!(schema instanceof z.ZodObject)) return schema;
  const members = Object.entries(camelShape(schema.shape as Readonly<Record<string, z.ZodType>>));
  return z.strictObject(Object.fromEntries(members.map(([name, member]) => [name, inCamelCase(member)])));
}
