import { z } from "zod";

declare module "zod" {
  interface GlobalMeta {
    /** The name of the type in TypeScript. */
    title?: string;
    /** Why the member is deprecated. */
    deprecationMessage?: string;
    /**
     * The value that Neon uses if the create request has none. The reference shows it and an import omits it. Declaring
     * it changes nothing if the object reports no value.
     */
    default?: unknown;
    /** A text for inputs only, after the description that inputs and outputs share. */
    note?: string;
    /** A text about changing the input, besides whether a change replaces the resource: the field's rule says that. */
    change?: string;
    /** The effect of omitting the input, as a text after "Default:". */
    omitted?: string;
    /** When the member is absent from responses, as a text after "Absent". */
    absent?: string;
    /** The member is secret in results and outputs, and so is an input of the same name. */
    secret?: true;
  }
}

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

/** A whole number as returned by the platform. It may exceed the integers that JavaScript represents exactly. */
export const wholeNumber = z.number().meta({ type: "integer" });

/** Members of many responses. */
export const createdAt = timestamp.describe("Time of creation (ISO 8601, UTC).");
export const updatedAt = timestamp.optional().describe("Time of the last change (ISO 8601, UTC).");
export const idOfProject = z.string().describe("Id of the project.");
export const idOfBranch = z.string().describe("Id of the branch.");

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
