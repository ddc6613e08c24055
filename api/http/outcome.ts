import type { z } from "zod";

import { type Exchange, HttpError, OutcomeUnknownError, PlatformError, quoted, requestText } from "../errors";
import type { Remediation } from "../remediation";
import type { Method, Request } from "../request";
import { errorBody, wrappedErrorBody } from "../schemas/error";
import { wasNeverSent, type WireAnswer } from "./transport";

/** What one attempt at a request came to. */
export type Outcome<Answer> =
  /** Performed, and here is the answer. */
  | { readonly is: "answered"; readonly answer: Answer }
  /** Certainly not performed, and worth another attempt with any method. */
  | { readonly is: "not performed"; readonly error: PlatformError; readonly retryAfter: number | undefined }
  /** Nobody knows whether it was performed: worth another attempt if it only reads. */
  | { readonly is: "unknown"; readonly error: PlatformError }
  /** Not performed, or not readable, and no other attempt would change that. */
  | { readonly is: "final"; readonly error: PlatformError };

/**
 * The one retry rule. The specification calls 423 and 503 always safe to repeat; a 429 was never let in; after a gateway's
 * or server's fault it is open whether a mutation was performed. Every other refusal is final.
 */
const meaning: Readonly<Record<number, "not performed" | "unknown">> = {
  408: "unknown",
  423: "not performed",
  429: "not performed",
  500: "unknown",
  502: "unknown",
  503: "not performed",
  504: "unknown",
  524: "unknown",
};

/** What a refusal means; one that the table does not name is final, but for the faults of gateways still to be invented. */
function consequenceOf(status: number): "not performed" | "unknown" | "final" {
  return meaning[status] ?? (status >= 500 ? "unknown" : "final");
}

/** Whether another attempt cannot change a refusal. */
export function isFinalRefusal(status: number): boolean {
  return consequenceOf(status) === "final";
}

/** Whether a request with this method changes nothing and so may be repeated at will. */
export function onlyReads(method: Method): boolean {
  return method === "GET";
}

/**
 * What an answer of the platform comes to.
 *
 * @param sentId the id that the request was sent with: its name where the answer does not say one
 */
export function outcomeOfAnswer<Answer>(
  request: Request<Answer>,
  wire: WireAnswer,
  now: Date,
  sentId: string,
): Outcome<Answer> {
  const exchange = { method: request.method, path: request.path, requestId: wire.header("x-request-id") ?? sentId };
  if (wire.status >= 200 && wire.status < 300) return readAnswer(request, wire, exchange);
  const error = refusal(exchange, wire);
  const consequence = consequenceOf(wire.status);
  if (consequence === "final") return { is: "final", error };
  if (consequence === "unknown")
    return unknown(exchange, `the answer was ${wire.status}, ${quoted(error.reason)}`, error);
  return { is: "not performed", error, retryAfter: retryAfter(wire.header("retry-after"), now) };
}

const noAnswer = "no answer";

/** What a fault of the transport comes to: no connection, a reset, a time-out, half an answer. */
export function outcomeOfFault(request: Request<unknown>, fault: unknown): Outcome<never> {
  const exchange: Exchange = { method: request.method, path: request.path };
  const reason = fault instanceof Error ? fault : new Error(String(fault));
  const seen = reason.message.startsWith(noAnswer) ? reason.message : `${noAnswer}: ${reason.message}`;
  const error = new PlatformError("unreachable", `${request.method} ${request.path} got ${seen}`, reason);
  return wasNeverSent(fault) ? { is: "not performed", error, retryAfter: undefined } : unknown(exchange, seen, error);
}

function unknown(exchange: Exchange, seen: string, error: PlatformError): Outcome<never> {
  return { is: "unknown", error: onlyReads(exchange.method) ? error : new OutcomeUnknownError(exchange, seen, error) };
}

function readAnswer<Answer>(request: Request<Answer>, wire: WireAnswer, exchange: Exchange): Outcome<Answer> {
  const content = parseJson(wire);
  const parsed = content.readable ? request.answer.safeParse(content.value) : undefined;
  if (parsed?.success === true) return { is: "answered", answer: parsed.data };
  const { problem, advice } = parsed === undefined ? notJson(wire) : otherShape(wire, parsed.error);
  const { method, path, requestId } = exchange;
  const error = new PlatformError(
    "unreadable",
    `${method} ${path} was answered (${wire.status}), but the answer ${problem}${requestText(requestId)}`,
    parsed?.error,
    advice,
  );
  // The request went through; only a request that changes nothing is done with at that.
  return onlyReads(method)
    ? { is: "final", error }
    : unknown(exchange, `the answer (${wire.status}) ${problem}`, error);
}

function parseJson(wire: WireAnswer): { readable: boolean; value?: unknown } {
  // 204 says that there is nothing to say; the schemas' members for that case are all optional.
  if (wire.status === 204) return { readable: true, value: {} };
  if (wire.body === "") return { readable: true, value: undefined };
  try {
    // What is null is not there. The document calls few members nullable, and its readers have met others that are.
    return { readable: true, value: JSON.parse(wire.body, (_, value: unknown) => value ?? undefined) };
  } catch {
    return { readable: false };
  }
}

/** What is wrong with an answer that could not be read. */
interface Unreadable {
  readonly problem: string;
  readonly advice?: Remediation;
}

function notJson(wire: WireAnswer): Unreadable {
  return {
    problem: `is not JSON (${wire.header("content-type") ?? "no content type"})`,
    advice: {
      retry: "Try again.",
      fallback: "If that does not help, see whether the base URL is right: it ends in /api/v2.",
    },
  };
}

function otherShape(wire: WireAnswer, { issues: [first, ...others] }: z.ZodError): Unreadable {
  if (wire.body === "" || first === undefined) return { problem: "is empty" };
  const where = first.path.length === 0 ? "all of it" : first.path.join(".");
  const what = first.message.replace(/^Invalid input: /, "").replace(/ undefined$/, " nothing");
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  return { problem: `does not have the expected shape: ${where}: ${what}${more}` };
}

function refusal(exchange: Exchange, wire: WireAnswer): HttpError {
  const content = parseJson(wire);
  const plain = errorBody.safeParse(content.value);
  const said = plain.success ? plain.data : wrappedErrorBody.safeParse(content.value).data?.error;
  return new HttpError({
    ...exchange,
    requestId: wire.header("x-request-id") ?? (plain.success ? plain.data.request_id : undefined) ?? exchange.requestId,
    status: wire.status,
    code: said?.code === "" ? undefined : said?.code,
    reason: said?.message ?? `no reason given (${wire.header("content-type") ?? "no content type"})`,
  });
}

/** Milliseconds that `Retry-After` asks for: it holds seconds or a date. */
function retryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const milliseconds = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
}
