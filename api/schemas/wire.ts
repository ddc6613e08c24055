import { z } from "zod";

export const platformIdForm = "must be an id of lower-case letters, digits and dashes";

/** An id that the platform has assigned. */
export const platformId = z.string().regex(/^[a-z0-9-]{1,60}$/, platformIdForm);

/** Whether a request can address an object by this text: URL parsers resolve dot segments. */
export function isAddressable(text: string): boolean {
  return text !== "." && text !== "..";
}

export const notAddressable = 'must not be "." or ".."';

/** An id or name of an object, as declared by a user. */
export const objectId = z
  .string()
  .min(1, { abort: true })
  .refine(isAddressable, { error: notAddressable, abort: true });

/** A timestamp as returned by the platform. */
export const timestamp = z.string();

/** A timestamp as declared by a user: ISO 8601 with a time zone. */
export const instant = z.iso.datetime({
  offset: true,
  error: 'must be an ISO 8601 timestamp with a time zone, such as "2030-01-31T12:00:00Z"',
});

/** A map of texts with user-defined keys, such as annotations and Postgres settings. */
export const textMap = z.record(z.string(), z.string());

/** The response of requests that return an empty body. */
export const emptyResponse = z.unknown().transform((): object => ({}));

/** The pagination of the lists of projects and operations. */
export const cursorPagination = z.looseObject({ cursor: z.string().optional() });

/** The pagination of the list of branches. */
export const nextPagination = z.looseObject({ next: z.string().optional() });
