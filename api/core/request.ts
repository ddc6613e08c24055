import type { Readable } from "node:stream";

import type { z } from "zod";

/** The HTTP methods of the platform's API, and `HEAD` of S3. */
export type Method = "GET" | "HEAD" | "POST" | "PATCH" | "PUT" | "DELETE";

/** The parameters of a query string. `undefined` values are omitted. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A file of a form. */
export interface FormFile {
  readonly name: string;
  /** Its media type. */
  readonly type: string;
  /** The bytes of the file. A function reads them when the request is sent. */
  readonly content: Uint8Array<ArrayBuffer> | (() => Promise<Uint8Array<ArrayBuffer>>);
}

/** A file that is sent as a stream. */
export interface FileBody {
  /** In bytes. */
  readonly size: number;
  /** Opens the file at its beginning. */
  readonly open: () => Promise<Readable>;
}

/** The target of a request to the S3 API of a branch. */
export interface S3Target {
  readonly projectId: string;
  readonly branchId: string;
  readonly bucketName: string;
  /** Undefined for the bucket itself. */
  readonly key?: string | undefined;
  /** Header fields, with names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** An XML document, which is the body. */
  readonly document?: string;
}

/** The members of a form, which is sent as `multipart/form-data`. `undefined` values are omitted. */
export type Form = Readonly<Record<string, string | FormFile | undefined>>;

/**
 * A request as plain data: what to send, and the schema of the response.
 *
 * Create requests with functions such as `projects.get(id)` and `branches.create(…)`, and send them with
 * `NeonClient.send`.
 */
export interface Request<Response> {
  readonly method: Method;
  /** Path below the base URL, with percent-encoded segments. */
  readonly path: string;
  readonly query?: Query;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent instead of a body. */
  readonly form?: Form;
  /**
   * Uploaded afterwards to the presigned URL in the response. The request is complete only after the upload. With `s3`,
   * the file is the body of the request.
   */
  readonly upload?: () => Promise<FileBody>;
  /**
   * Sent to the S3 API of a branch, signed with an access key of the branch, instead of to the base URL. `path` names the
   * object in messages. A response holds the header fields, and the elements of its document.
   */
  readonly s3?: S3Target;
  /** Sent instead if this API key has no access to S3. Default: the request fails. */
  readonly withoutS3?: Request<Response>;
  /** Values that no message may contain. An error response may echo them. */
  readonly secrets?: readonly string[];
  /** Schema of a successful response. It parses a 204 as `{}`, and any other empty response as `undefined`. */
  readonly schema: z.ZodType<Response>;
  /**
   * Whether `null` in the response is a value, for requests that use it for "nothing". By default, `null` counts as a
   * missing member.
   */
  readonly keepsNull?: true;
  /** Whether the request changes nothing, so that it is always safe to retry. Default: only a GET or a HEAD. */
  readonly changesNothing?: true;
}

/** Builds a request. */
export function request<Response>(
  method: Method,
  path: string,
  schema: z.ZodType<Response>,
  content: Omit<Request<Response>, "method" | "path" | "schema"> = {},
): Request<Response> {
  return { method, path, ...content, schema };
}

/** A request for one page of a list. */
export interface PagedRequest<Item, Page = unknown> extends Request<Page> {
  /** Returns the items of a page. */
  readonly items: (page: Page) => readonly Item[];
  /** Returns the cursor of the next page. */
  readonly cursor: (page: Page) => string | undefined;
  /**
   * Whether the last page may have no cursor. Then an empty first page with a cursor is not the end of the list.
   * Default: every page has a cursor.
   */
  readonly isCursorOptional?: true;
  /** Returns how many items a page leaves out and the caller reads one by one. Default: none. */
  readonly omitted?: (page: Page) => number;
  /** The largest page size that the platform allows. */
  readonly maxPageSize: number;
}

/** The part of a page that names the next one. */
interface Paginated {
  readonly pagination?: { readonly next?: string | undefined; readonly cursor?: string | undefined } | undefined;
}

/**
 * Builds a request for a list that the platform returns page by page.
 *
 * @param by the member of `pagination` that names the next page. The last page may lack `next`, but never `cursor`.
 */
export function pagedRequest<Item, Page extends Paginated>(
  by: "next" | "cursor",
  path: string,
  schema: z.ZodType<Page>,
  content: Pick<PagedRequest<Item, Page>, "query" | "items" | "omitted" | "maxPageSize">,
): PagedRequest<Item, Page> {
  const cursor = (page: Page): string | undefined => page.pagination?.[by];
  return { ...request("GET", path, schema), ...content, cursor, ...(by === "next" && { isCursorOptional: true }) };
}

/** Builds a path and percent-encodes the inserted segments: names of roles and databases may contain any character. */
export function path(literals: TemplateStringsArray, ...segments: readonly string[]): string {
  return literals.reduce((built, literal, index) => built + encodeSegment(segments[index - 1] ?? "") + literal);
}

function encodeSegment(segment: string): string {
  // URL parsers resolve dot segments, encoded or not: the path would address another object.
  if (segment === "" || segment === "." || segment === "..") {
    throw new TypeError(`"${segment}" is not allowed as a segment of a request path`);
  }
  return encoded(segment);
}

/** Decodes a percent-encoded text; `undefined` if it is malformed. */
export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Percent-encodes a text. */
export function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch (error) {
    throw new TypeError("a request path or query must be well-formed Unicode", { cause: error });
  }
}
