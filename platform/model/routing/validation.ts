import { z } from "zod";

import { badRequest } from "../../http-error";

/** A cursor in a query string: a position in a list, encoded by {@link formatCursor}. */
export const cursorOf = <Position extends z.ZodType>(position: Position, items: string) =>
  z.string().transform((cursor, context): z.infer<Position> => {
    try {
      return position.parse(JSON.parse(Buffer.from(cursor, "base64url").toString()));
    } catch {
      context.addIssue(invalidCursor(items));
      return z.NEVER;
    }
  });

export function formatCursor(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

export const invalidCursor = (items: string): string => `is not one that a list of ${items} has returned`;

/** The position before the first row of a list with the latest rows first. It sorts after every timestamp. */
export const beforeFirst = "~";

function isMissing(value: unknown, member: PropertyKey | undefined): boolean {
  return member !== undefined && typeof value === "object" && value !== null && !(member in value);
}

/**
 * Parses a value with a schema.
 *
 * @throws HttpError 400 that names every invalid member.
 */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown, where: string): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const missing = result.error.issues.find(({ path }) => path.length === 1 && isMissing(value, path[0]));
  if (where === "body" && missing) {
    throw badRequest(`invalid: ${String(missing.path[0])} (field required)`);
  }
  const problems = result.error.issues.map(({ path, message }) =>
    path.length === 0 ? `${where}: ${message}` : `${where} ${path.join(".")}: ${message}`,
  );
  throw badRequest([...new Set(problems)].join("; "));
}
