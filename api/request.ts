import type { z } from "zod";

/** The HTTP methods of the platform's API. */
export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** What may stand in a query string; `undefined` members are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * One request as plain data: what to send and what the answer looks like.
 *
 * Requests are made by the functions beside the wire schemas (`projects.get(id)`, `branches.create(…)`) and sent by
 * `PlatformClient.send`. Being data they can be compared, logged and sent again.
 */
export interface Request<Answer> {
  readonly method: Method;
  /** Path below the base URL, its segments percent-encoded. */
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
  /** The shape of a successful answer. A 204 is handed to the schema as `{}`, any other empty answer as `undefined`. */
  readonly schema: z.ZodType<Answer>;
}

/** A request whose answer is one page of a longer list. */
export interface PagedRequest<Item, Page = unknown> extends Request<Page> {
  /** The entries of a page. */
  readonly items: (page: Page) => readonly Item[];
  /** Where the next page begins, as the platform's answer says it. */
  readonly cursor: (page: Page) => string | undefined;
  /** Most entries a page may hold, as the platform's specification says. */
  readonly maxPageSize: number;
}

/** Builds a path, percent-encoding every inserted segment: role and database names may hold any character. */
export function path(literals: TemplateStringsArray, ...segments: readonly string[]): string {
  return literals.reduce((built, literal, index) => built + encodeSegment(segments[index - 1] ?? "") + literal);
}

function encodeSegment(segment: string): string {
  // A segment of dots alone would be resolved away by every URL parser, encoded or not, and so address another object.
  if (segment === "" || segment === "." || segment === "..") {
    throw new TypeError(`"${segment}" cannot be a segment of a request path`);
  }
  return encoded(segment);
}

/** A text as it stands in an address. */
export function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch (error) {
    throw new TypeError("a text that is not well-formed Unicode cannot stand in a request", { cause: error });
  }
}
