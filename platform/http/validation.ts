import { z } from "zod";

import { badRequest, type HttpError } from "../http-error";

/** A whole number in a query string. */
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^-?\d{1,9}$/, "must be a whole number")
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`);

/** `true` or `false` in a query string. */
export const flag = z.enum(["true", "false"]).transform((value) => value === "true");

/** The error for a cursor that is malformed, or that belongs to another list. */
export const invalidCursor = (items: string): HttpError =>
  badRequest(`query parameter cursor: is not one that a list of ${items} has returned`);

/**
 * Parses a value with a schema.
 *
 * @throws HttpError 400 that names every invalid member.
 */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown, where: string): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) =>
    path.length === 0 ? `${where}: ${message}` : `${where} ${path.join(".")}: ${message}`,
  );
  throw badRequest(problems.join("; "));
}
