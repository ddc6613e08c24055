import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";

import { ProxyError } from "../proxy-error";
import { parameterOfJson } from "./json-values";
import type { Statement } from "./query-session";

/** A statement, and the form of its rows. */
export interface RequestedQuery extends Statement {
  readonly rowsAsArrays: boolean;
}

/** The body of `POST /sql`. */
export type SqlRequest =
  | { readonly kind: "single"; readonly query: RequestedQuery }
  | { readonly kind: "batch"; readonly queries: readonly RequestedQuery[] };

/** The transaction of a batch, from the headers `Neon-Batch-…`. */
export interface TransactionMode {
  /** The statement that begins the transaction. */
  readonly begin: string;
  /** The headers that the answer repeats. */
  readonly headers: Readonly<Record<string, string>>;
}

const queryShape = z.object({
  query: z.string(),
  params: z.array(z.unknown()).default([]),
  arrayMode: z.boolean().nullish(),
});
const batchShape = z.object({ queries: z.array(queryShape) });

const isolationLevels: ReadonlyMap<string, string> = new Map([
  ["Serializable", "SERIALIZABLE"],
  ["RepeatableRead", "REPEATABLE READ"],
  ["ReadCommitted", "READ COMMITTED"],
  ["ReadUncommitted", "READ UNCOMMITTED"],
]);

/** PostgreSQL's protocol has two bytes for the number of parameters. */
const maxParameters = 65_535;

const isolationHeader = "neon-batch-isolation-level";
const readOnlyHeader = "neon-batch-read-only";
const deferrableHeader = "neon-batch-deferrable";

/** Whether a header switches its option on. Only `true` does. */
export const isTrue = (headers: IncomingHttpHeaders, name: string): boolean => headers[name] === "true";

/**
 * Reads a body of any content type, because the driver sends plain text.
 *
 * @param rowsAsArrays the default for queries without `arrayMode`
 * @throws ProxyError
 */
export function parseSqlRequest(body: string, rowsAsArrays: boolean): SqlRequest {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch (error) {
    throw unreadable(error instanceof Error ? error.message : String(error));
  }
  const single = queryShape.safeParse(json);
  if (single.success) return { kind: "single", query: requested(single.data, rowsAsArrays) };
  const batch = batchShape.safeParse(json);
  if (!batch.success) throw unreadable("data did not match any variant of untagged enum Payload");
  return { kind: "batch", queries: batch.data.queries.map((query) => requested(query, rowsAsArrays)) };
}

/** @throws ProxyError if the isolation level is unknown. */
export function transactionMode(headers: IncomingHttpHeaders): TransactionMode {
  const words = ["BEGIN"];
  const echoed: Record<string, string> = {};
  const level = headers[isolationHeader];
  if (level !== undefined) {
    const name = typeof level === "string" ? isolationLevels.get(level) : undefined;
    if (name === undefined) throw new ProxyError("invalid isolation level");
    words.push(`ISOLATION LEVEL ${name}`);
    echoed[isolationHeader] = String(level);
  }
  for (const [header, word] of [
    [readOnlyHeader, "READ ONLY"],
    [deferrableHeader, "DEFERRABLE"],
  ] as const) {
    if (!isTrue(headers, header)) continue;
    words.push(word);
    echoed[header] = "true";
  }
  return { begin: words.join(" "), headers: echoed };
}

function requested({ query, params, arrayMode }: z.infer<typeof queryShape>, rowsAsArrays: boolean): RequestedQuery {
  if (query.includes("\0")) throw unreadable("a query contains a zero byte");
  if (params.length > maxParameters) throw unreadable(`a query has at most ${maxParameters} parameters`);
  const parameters = params.map((value) => parameterOfJson(value));
  return { text: query, parameters, rowsAsArrays: arrayMode ?? rowsAsArrays };
}

const unreadable = (reason: string): ProxyError => new ProxyError(`could not parse the HTTP request body: ${reason}`);
