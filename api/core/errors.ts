import type { ErrorKind, Exchange, FailedExchange } from "./error-kind";
import {
  branchNotReady,
  httpRemediation,
  type Remediation,
  remediations,
  secondCompute,
  type Topic,
} from "./remediation";
import type { Method } from "./request";

/**
 * Brands the errors of all copies of this package. A program and its provider process may load different copies, so that
 * `instanceof` does not recognize their errors.
 */
const brand = Symbol.for("neon-pulumi.error");

/** Base class of all errors of this package. The message says what failed, on which object, why, and what to do. */
export class NeonError extends Error {
  override readonly name: string = "NeonError";
  readonly kind: ErrorKind;
  readonly #remediation: Remediation;
  #summary: string;

  /**
   * @param summary what failed, on which object, and why
   * @param remediation what to do. Default: depends on the kind.
   */
  constructor(kind: ErrorKind, summary: string, cause?: unknown, remediation: Remediation = remediations[kind]) {
    super("", { cause });
    this.kind = kind;
    this.#remediation = remediation;
    this.#summary = summary;
    this.message = this.describe({});
    Object.defineProperty(this, brand, { value: true });
  }

  /** What failed, on which object, and why: the message without the remediation. */
  get summary(): string {
    return this.#summary;
  }

  /** The stable code of the error, if docs/troubleshooting.md explains it: the heading there. */
  get topic(): Topic | undefined {
    return this.#remediation.topic ?? (NeonError.isInstance(this.cause) ? this.cause.topic : undefined);
  }

  /** Appends a text to the summary. */
  appendSummary(text: string): void {
    this.#summary = `${this.#summary} ${text}`;
    this.message = this.describe({});
  }

  /** Returns the message with details that only the caller knows. */
  describe({ state = "", fix, next = this.#remediation.retry ?? "" }: ErrorContext): string {
    const { fix: usual = "", fallback = "" } = this.#remediation;
    return sentences(this.#summary, state, fix ?? usual, next, fix === undefined ? fallback : "");
  }

  /** Whether a value is an error of this package, or of another copy of it. */
  static isInstance(value: unknown): value is NeonError {
    return typeof value === "object" && value !== null && brand in value;
  }
}

/** Details of an error that only the caller knows, in sentences. */
export interface ErrorContext {
  /** The state that the error leaves behind. */
  readonly state?: string;
  /** What to fix first. Replaces the remediation's `fix` and `fallback`. */
  readonly fix?: string;
  /** What happens next. Replaces the remediation's `retry`. */
  readonly next?: string;
}

/** The platform returned an HTTP error. Nothing was changed. */
export class HttpError extends NeonError implements FailedExchange {
  override readonly name = "HttpError";
  readonly method: Method;
  readonly path: string;
  readonly status: number;
  /** The platform's error code, if the response has one. Most do not. */
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  /** The platform's error message. */
  readonly reason: string;

  constructor(exchange: FailedExchange) {
    super("http", httpSummary(exchange), undefined, httpRemediation(exchange));
    this.method = exchange.method;
    this.path = exchange.path;
    this.status = exchange.status;
    this.code = exchange.code;
    this.requestId = exchange.requestId;
    this.reason = exchange.reason;
  }

  static override isInstance(value: unknown): value is HttpError {
    return NeonError.isInstance(value) && value.kind === "http";
  }
}

/** The error for a route that the platform does not know. It does not mean that the object is missing. */
export function unknownRoute(exchange: FailedExchange): NeonError {
  return new NeonError("unknown-route", httpSummary(exchange));
}

/** Whether the platform refused a request with one of these statuses. */
export function hasStatus(error: unknown, ...statuses: readonly number[]): error is HttpError {
  return HttpError.isInstance(error) && statuses.includes(error.status);
}

/** Whether a request was refused because operations are still running: a retry may succeed. */
export function isBusy(error: unknown): boolean {
  return hasStatus(error, 423) || (hasStatus(error, 422) && branchNotReady.test(error.reason));
}

/** Whether a response asked for a retry of a mutation that a gateway may have passed on. */
export function isRetryAsked(error: unknown): boolean {
  return OutcomeUnknownError.isInstance(error) && (isBusy(error.cause) || hasStatus(error.cause, 429, 503));
}

/** Whether the platform refused a request because of an object that exists already. */
export function isConflict(error: unknown): error is HttpError {
  return hasStatus(error, 409) || (HttpError.isInstance(error) && error.code === secondCompute);
}

/** Whether an error is a 404: the object does not exist, or this API key cannot see it. */
export function isNotFound(error: unknown): boolean {
  return hasStatus(error, 404);
}

/** The response, or `undefined` if the platform refuses the request with one of these statuses. */
export async function ignoreStatus<Response>(
  response: Promise<Response>,
  ...statuses: readonly number[]
): Promise<Response | undefined> {
  try {
    return await response;
  } catch (error) {
    if (hasStatus(error, ...statuses)) return undefined;
    throw error;
  }
}

/** The response, or `undefined` if the platform does not find the object. */
export function ignoreNotFound<Response>(response: Promise<Response>): Promise<Response | undefined> {
  return ignoreStatus(response, 404);
}

/** Creates the error for an invalid setting, input or state, or for a refused request with an explanation. */
export function invalid(
  summary: string,
  { cause, ...remediation }: Remediation & { readonly cause?: unknown } = {},
): NeonError {
  return new NeonError("invalid", summary, cause, remediation);
}

/** The error of a refused request, in terms of the object: what failed, the platform's words, what to do. */
export function explained(what: string, error: HttpError, fix: string): NeonError {
  return invalid(`${what} (${error.summary})`, { cause: error, fix });
}

const maxQuotedCharacters = 500;

/** Fits a text of the platform into a sentence: on one line, shortened, without a full stop. */
export function quoted(message: string): string {
  const text = withoutStop(message.replace(/\s+/g, " "));
  return text.length > maxQuotedCharacters ? `${text.slice(0, maxQuotedCharacters)}…` : text;
}

function httpSummary({ method, path, status, requestId, reason, code }: FailedExchange): string {
  const why = [reason, code ?? ""].map(quoted).filter(Boolean).join(", ");
  return `${method} ${path} failed with HTTP ${status}: ${why}${requestText(requestId)}`;
}

/** The request id in brackets. The platform's support finds the request by it. */
export function requestText(requestId: string | undefined): string {
  return requestId === undefined ? "" : ` [request ${quoted(requestId)}]`;
}

/** Appends a full stop, unless the text ends a sentence already, with or without a remark in brackets after it. */
export function asSentence(text: string): string {
  const trimmed = text.trim();
  // Two checks instead of one regular expression, whose time would grow with the square of the length. The platform
  // chooses the text.
  const isSentence = /[.!?]$/.test(trimmed) || (trimmed.endsWith(")") && /[.!?] \(/.test(trimmed));
  return isSentence ? trimmed : `${trimmed}.`;
}

/** The text without its final full stops, to be continued. */
export function withoutStop(text: string): string {
  const trimmed = text.trim();
  let { length } = trimmed;
  while (trimmed[length - 1] === ".") length -= 1;
  return trimmed.slice(0, length);
}

/** Joins sentences; skips empty ones. */
function sentences(...texts: readonly string[]): string {
  return texts
    .filter((text) => text !== "")
    .map(asSentence)
    .join(" ");
}

/** A mutation was sent, but may or may not have been performed. Check its result before retrying. */
export class OutcomeUnknownError extends NeonError {
  override readonly name = "OutcomeUnknownError";

  /** @param observed what happened instead of a response, such as `connection reset` */
  constructor({ method, path, requestId }: Exchange, observed: string, cause: Error) {
    super(
      "outcome-unknown",
      `${method} ${path} was sent, but its outcome is unknown: ${withoutStop(observed)}${requestText(requestId)}`,
      cause,
    );
  }

  static override isInstance(value: unknown): value is OutcomeUnknownError {
    return NeonError.isInstance(value) && value.kind === "outcome-unknown";
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error || NeonError.isInstance(error) ? error.message : String(error);
}

/** The summary of anything that was thrown, as part of a sentence. */
export function summaryOf(error: unknown): string {
  return withoutStop(NeonError.isInstance(error) ? error.summary : messageOf(error));
}

/** The message of anything that was thrown, with details that only the caller knows. */
export function describeError(error: unknown, { state = "", next = "" }: ErrorContext): string {
  return NeonError.isInstance(error) ? error.describe({ state, next }) : sentences(messageOf(error), state, next);
}
