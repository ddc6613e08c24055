import type { z } from "zod";

import type { Exchange, FailedExchange } from "../core/error-kind";
import {
  HttpError,
  invalid,
  isBusy,
  OutcomeUnknownError,
  NeonError,
  quoted,
  requestText,
  unknownRoute,
} from "../core/errors";
import type { Remediation } from "../core/remediation";
import type { Request } from "../core/request";
import { codeIn, errorBody, reasonIn } from "../schemas/error";
import { ContentError } from "./content";
import { NotSentError, wasNeverSent, type WireResponse } from "./transport";

/** The result of one HTTP attempt. */
export type Outcome<Response> =
  /** The platform performed the request. */
  | { readonly is: "succeeded"; readonly response: Response }
  /** The platform did not perform the request; a retry may succeed, with any method. In milliseconds. */
  | { readonly is: "not performed"; readonly error: NeonError; readonly retryAfter: number | undefined }
  /**
   * The response asks for a retry, but may come from a gateway that has passed the request on. Look for the result of a
   * mutation before a retry. In milliseconds.
   */
  | {
      readonly is: "doubtful";
      readonly error: HttpError;
      /** The error if the mutation is not retried. */
      readonly unknown: NeonError;
      readonly retryAfter: number | undefined;
    }
  /** The platform may have performed the request; only a request that changes nothing may be retried. */
  | { readonly is: "unknown"; readonly error: NeonError }
  /** The request failed, and a retry would fail the same way. */
  | { readonly is: "final"; readonly error: NeonError };

/**
 * The retry rule. 423, 429 and 503 ask for a retry with any method. The platform returns 423 and 429 before it does
 * anything, so with its own error format they are certain. A gateway may return a 503 after the platform has performed
 * the request. After other server or gateway errors, a mutation may have been performed. All other statuses are final,
 * except a 422 that means the same as a 423 ({@link isBusy}).
 */
const retryable: Readonly<Record<number, "not performed" | "doubtful" | "unknown">> = {
  408: "unknown",
  423: "not performed",
  429: "not performed",
  500: "unknown",
  502: "unknown",
  503: "doubtful",
  504: "unknown",
  524: "unknown",
};

/** Treats 5xx statuses that the table does not list like a 500. */
function classify(status: number): "not performed" | "doubtful" | "unknown" | "final" {
  return retryable[status] ?? (status >= 500 ? "unknown" : "final");
}

/** Whether a retry cannot change an error of this status. */
export function isFinalStatus(status: number): boolean {
  return classify(status) === "final";
}

/** Whether a request changes nothing, so that it is always safe to retry. */
export function isReadOnly({ method, changesNothing }: Request<unknown>): boolean {
  return changesNothing ?? (method === "GET" || method === "HEAD");
}

/**
 * Interprets an HTTP response.
 *
 * @param sentId the request id that was sent, if any. Used if the response has no id of its own.
 */
export function outcomeOfResponse<Response>(
  request: Request<Response>,
  response: WireResponse,
  now: Date,
  sentId: string | undefined,
): Outcome<Response> {
  const exchange = { method: request.method, path: request.path, requestId: requestIdOf(response) ?? sentId };
  if (response.status >= 200 && response.status < 300) return parseResponse(request, response, exchange);
  const failed = failedExchange(exchange, response);
  if (isOfRoute(failed, response)) return { is: "final", error: unknownRoute(failed) };
  const error = new HttpError(failed);
  const is = isBusy(error) ? "not performed" : classify(response.status);
  const unknown = unknownError(request, failed, `HTTP ${response.status}, ${quoted(error.reason)}`, error);
  const delay = retryAfter(response.header("retry-after"), now);
  switch (is) {
    case "final":
      return { is, error };
    case "unknown":
      return { is, error: unknown };
    case "not performed":
      return isOfPlatform(response)
        ? { is, error, retryAfter: delay }
        : { is: "doubtful", error, unknown, retryAfter: delay };
    case "doubtful":
      return { is, error, unknown, retryAfter: delay };
    default:
      return is satisfies never;
  }
}

const noResponse = "no response";

/** Interprets the error of an attempt: no content to send, no connection, a reset, a timeout, an incomplete response. */
export function outcomeOfFailure(request: Request<unknown>, cause: unknown): Outcome<never> {
  const { method, path } = request;
  if (cause instanceof ContentError) {
    const summary = `${method} ${path} was not sent: its content cannot be read: ${cause.message}`;
    return { is: "final", error: invalid(summary, { cause }) };
  }
  if (cause instanceof NotSentError && cause.isFinal) {
    return { is: "final", error: invalid(`${method} ${path} was not sent: ${cause.message}`, { cause }) };
  }
  const networkError = cause instanceof Error ? cause : new Error(String(cause));
  const { message } = networkError;
  const observed = message.startsWith(noResponse) ? message : `${noResponse}: ${message}`;
  const error = new NeonError("unreachable", `${method} ${path} received ${observed}`, networkError);
  return wasNeverSent(cause)
    ? { is: "not performed", error, retryAfter: undefined }
    : { is: "unknown", error: unknownError(request, { method, path }, observed, error) };
}

/** The error of a request that the platform may have performed. */
function unknownError(request: Request<unknown>, exchange: Exchange, observed: string, error: NeonError): NeonError {
  return isReadOnly(request) ? error : new OutcomeUnknownError(exchange, observed, error);
}

function parseResponse<Response>(
  request: Request<Response>,
  response: WireResponse,
  exchange: Exchange,
): Outcome<Response> {
  const content = parseJson(response, request.keepsNull);
  const parsed = content.isJson ? request.schema.safeParse(content.value) : undefined;
  if (parsed?.success === true) return { is: "succeeded", response: parsed.data };
  const { problem, remediation } = parsed === undefined ? notJson(response) : unexpectedShape(response, parsed.error);
  const { method, path, requestId } = exchange;
  const error = new NeonError(
    "unreadable",
    `${method} ${path} returned HTTP ${response.status}, but the response ${problem}${requestText(requestId)}`,
    parsed?.error,
    remediation,
  );
  // The platform has performed the request, but a mutation's result is not known.
  return isReadOnly(request)
    ? { is: "final", error }
    : {
        is: "unknown",
        error: unknownError(request, exchange, `HTTP ${response.status}, but the response ${problem}`, error),
      };
}

function parseJson(response: WireResponse, keepsNull = false): { readonly isJson: boolean; readonly value?: unknown } {
  if (response.isCut === true) return { isJson: false };
  // If a request may return a 204, all members of its response schema are optional.
  if (response.status === 204) return { isJson: true, value: {} };
  if (response.body === "") return { isJson: true, value: undefined };
  try {
    return { isJson: true, value: JSON.parse(response.body, keepsNull ? undefined : withoutNullMembers) };
  } catch {
    return { isJson: false };
  }
}

/**
 * Treats null like a missing member, because real responses contain more nulls than the OpenAPI document allows. A null
 * in a list stays.
 */
function withoutNullMembers(this: unknown, _name: string, value: unknown): unknown {
  return value === null && !Array.isArray(this) ? undefined : value;
}

/** Why a response could not be parsed. */
interface Unreadable {
  readonly problem: string;
  readonly remediation?: Remediation;
}

function notJson(response: WireResponse): Unreadable {
  if (response.isCut === true) return { problem: `is larger than ${Math.floor(response.body.length / 1e6)} MB` };
  return {
    problem: `is not JSON (${response.header("content-type") ?? "no content type"})`,
    remediation: {
      retry: "Try again.",
      fallback: "If the error persists, check the base URL. It must end in /api/v2.",
    },
  };
}

function unexpectedShape(response: WireResponse, { issues: [first, ...others] }: z.ZodError): Unreadable {
  if (response.body === "" || first === undefined) return { problem: "is empty" };
  const where = first.path.length === 0 ? "the whole body" : first.path.join(".");
  const what = first.message.replace(/^Invalid input: /, "").replace(/ undefined$/, " no value");
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  return { problem: `does not have the expected shape: ${where}: ${what}${more}` };
}

const ownRequestId = "x-neon-ret-request-id";

/** The id that the platform gave a request. */
function requestIdOf({ header }: WireResponse): string | undefined {
  return header(ownRequestId) ?? header("x-request-id") ?? header("x-amz-request-id");
}

function failedExchange(exchange: Exchange, response: WireResponse): FailedExchange {
  const { value } = parseJson(response);
  return {
    ...exchange,
    requestId: requestIdOf(response) ?? errorBody.safeParse(value).data?.request_id ?? exchange.requestId,
    status: response.status,
    code: codeIn(value),
    reason: reasonIn(value) ?? `no reason given (${response.header("content-type") ?? "no content type"})`,
  };
}

/** Whether an error response comes from the platform itself: it has the platform's format and request id. */
function isOfPlatform(response: WireResponse): boolean {
  const body = errorBody.safeParse(parseJson(response).value);
  return body.success && (body.data.request_id ?? response.header(ownRequestId)) !== undefined;
}

/** Whether a 404 is about the route and not about an object. The 404 page of some other web server also counts. */
function isOfRoute({ status, reason }: FailedExchange, response: WireResponse): boolean {
  return status === 404 && (/\broute does not exist\b/.test(reason) || !parseJson(response).isJson);
}

/** Parses `Retry-After`, which holds seconds or a date, as milliseconds. */
function retryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const milliseconds = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
}
