import type { Method } from "./request";
import type { Operation } from "./schemas/operation";

/**
 * Marks our errors across copies of this package: a program and the provider process may load different ones, where
 * `instanceof` would answer no.
 */
const brand = Symbol.for("neon-pulumi.error");

/**
 * The kinds of error this package throws, each told apart by {@link PlatformError.isInstance} and its `kind`.
 *
 * None has a member `id`: Pulumi's SDK takes an error with one for a resource that was created.
 */
export type ErrorKind =
  /** The platform refused the request; `status` says how. */
  | "refused"
  /** A mutation was sent and its outcome is not known. */
  | "outcome-unknown"
  /** The platform could not be reached, or kept answering with faults, until the deadline. */
  | "unreachable"
  /** Nothing has ever answered at the base URL. */
  | "never-answered"
  /** The platform answered something this package cannot read. */
  | "unreadable"
  /** An operation ended without success. */
  | "operation-failed"
  /** An operation had not ended at the deadline. */
  | "operation-timeout"
  /** An operation that the platform no longer knows. */
  | "operation-unknown"
  /** A setting or input is missing or wrong; nothing was sent. */
  | "invalid";

/** Base of every error of this package: says what happened, where, what was last seen and what to do. */
export class PlatformError extends Error {
  override readonly name: string = "PlatformError";
  readonly kind: ErrorKind;

  constructor(kind: ErrorKind, message: string, cause: unknown) {
    super(message, { cause });
    this.kind = kind;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Whether something is an error of this package, whichever copy of it made the error. */
  static isInstance(value: unknown): value is PlatformError {
    return typeof value === "object" && value !== null && brand in value;
  }
}

/** Where a request went and what came back, for messages. */
export interface Exchange {
  readonly method: Method;
  readonly path: string;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
}

/** The platform refused a request. Nothing was changed. */
export class RefusedError extends PlatformError implements Exchange {
  override readonly name = "RefusedError";
  readonly method: Method;
  readonly path: string;
  readonly status: number;
  /** The platform's own code, when it gave one: most answers leave it empty. */
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  /** The platform's own words. */
  readonly reason: string;

  constructor(exchange: Exchange & { status: number; code?: string | undefined; reason: string }) {
    super("refused", refusalText(exchange), undefined);
    this.method = exchange.method;
    this.path = exchange.path;
    this.status = exchange.status;
    this.code = exchange.code;
    this.requestId = exchange.requestId;
    this.reason = exchange.reason;
  }

  static override isInstance(value: unknown): value is RefusedError {
    return PlatformError.isInstance(value) && value.kind === "refused";
  }
}

/** Whether an error says that the object asked for is not there (or not visible to this key). */
export function isNotFound(error: unknown): boolean {
  return RefusedError.isInstance(error) && error.status === 404;
}

/** What to do about a refusal, by status. Statuses without a row speak for themselves. */
const remedies: Readonly<Record<number, string>> = {
  401: "The API key is missing, wrong or revoked: use a valid one.",
  403: "This API key may not do that: use a key of someone who may.",
  404: "There is no such object, or this API key does not see it.",
  409: "Something of that name is there already: take it over with `adopt`, or choose another name.",
  412: "The project was made without storing passwords, so the platform cannot tell them.",
  422: "The platform does not allow this in the object's present state.",
  423: "Other operations on the project were still running: try again when they are done.",
  429: "The account's rate limit was exceeded for longer than this request could wait: try again later.",
  503: "The platform was unavailable: try again later.",
};

function refusalText({
  method,
  path,
  status,
  requestId,
  reason,
  code,
}: Exchange & { status: number; reason: string; code?: string | undefined }): string {
  const said = asSentence([reason, code].filter(Boolean).join(", "));
  const request = requestId === undefined ? "" : `[request ${requestId}]`;
  return [`${method} ${path} was refused (${status}): ${said}`, remedies[status], request].filter(Boolean).join(" ");
}

/** A request as messages name it. */
export function exchangeText({ method, path, status, requestId }: Exchange): string {
  return (
    `${method} ${path}` +
    (status === undefined ? "" : ` (${status})`) +
    (requestId === undefined ? "" : ` [request ${requestId}]`)
  );
}

/** The text with a full stop behind it, unless it ends in one or in what we ourselves put behind a sentence. */
export function asSentence(text: string): string {
  const trimmed = text.trim();
  return /([.!?]|\[request [^\]]+\]|attempts? in \d+ s\))$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** A mutation was sent, but whether it was performed is not known: look for its result before sending it again. */
export class OutcomeUnknownError extends PlatformError {
  override readonly name = "OutcomeUnknownError";

  constructor(exchange: Exchange, cause: Error) {
    super(
      "outcome-unknown",
      `${exchangeText(exchange)} was sent, but its outcome is not known: ${
        // What it names of the request is said already.
        RefusedError.isInstance(cause)
          ? `the answer was ${cause.status}, ${asSentence(cause.reason)}`
          : asSentence(cause.message)
      }`,
      cause,
    );
  }

  static override isInstance(value: unknown): value is OutcomeUnknownError {
    return PlatformError.isInstance(value) && value.kind === "outcome-unknown";
  }
}

/** An operation ended without success, or stayed failed beyond the grace time. */
export class OperationFailedError extends PlatformError {
  override readonly name = "OperationFailedError";
  readonly operation: Operation;

  constructor(operation: Operation, waitedSeconds: number) {
    super(
      "operation-failed",
      `Operation ${operation.id} (${operation.action}) ${
        operation.status === "failed"
          ? `stayed failed for ${waitedSeconds} s (failures: ${operation.failures_count})`
          : `ended as ${operation.status} (failures: ${operation.failures_count})`
      }${operation.error === undefined || operation.error === "" ? "" : `: ${operation.error}`}`.replace(/\.?$/, "."),
      undefined,
    );
    this.operation = operation;
  }

  static override isInstance(value: unknown): value is OperationFailedError {
    return PlatformError.isInstance(value) && value.kind === "operation-failed";
  }
}

/** Operations had not ended when the time to wait for them was over. They go on. */
export class OperationTimeoutError extends PlatformError {
  override readonly name = "OperationTimeoutError";
  /** The operations as last seen. */
  readonly operations: readonly Operation[];

  constructor(operations: readonly Operation[], waitedSeconds: number, lastFault: Error | undefined) {
    const seen = operations.map((operation) => `${operationText(operation)} was ${operation.status}`).join("; ");
    super(
      "operation-timeout",
      `Not done within ${waitedSeconds} s: ${seen}.${lastFault === undefined ? "" : ` Last fault: ${asSentence(lastFault.message)}`}`,
      lastFault,
    );
    this.operations = operations;
  }

  static override isInstance(value: unknown): value is OperationTimeoutError {
    return PlatformError.isInstance(value) && value.kind === "operation-timeout";
  }
}

/** An operation as messages name it. */
export function operationText(operation: Operation): string {
  return `operation ${operation.id} (${operation.action})`;
}

/** The error's message, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error || PlatformError.isInstance(error) ? error.message : String(error);
}
