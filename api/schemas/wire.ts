import { z } from "zod";

/** An identifier the platform gives: lower-case letters, digits and dashes. */
export const platformId = z
  .string()
  .regex(/^[a-z0-9-]{1,60}$/, "must be an id of lower-case letters, digits and dashes");

/** Whether a text can stand in the path of a request: dots alone are resolved away by every URL parser. */
export function isAddressable(text: string): boolean {
  return text !== "." && text !== "..";
}

/** What is said of a text that is not. */
export const notAddressable = "cannot consist of dots alone: no request could name it";

/** What names an object in the path of a request, as a user gives it. */
export const objectId = z.string().min(1).refine(isAddressable, notAddressable);

/** A point in time as the platform writes it. */
export const timestamp = z.string();

/** A point in time as a user writes it: ISO 8601 with a time zone. */
export const instant = z.iso.datetime({
  offset: true,
  error: 'must be a time such as "2030-01-31T12:00:00Z", with its zone',
});

/** Free-form text by text, such as annotations and Postgres settings. */
export const textMap = z.record(z.string(), z.string());

/** Cursor of the project and operation lists. */
export const cursorPagination = z.looseObject({ cursor: z.string().optional() });

/** Cursor of the branch list. */
export const nextPagination = z.looseObject({ next: z.string().optional() });
