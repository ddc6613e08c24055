import type { ErrorKind, Exchange } from "./error-kind";
import { httpRemediation, type Remediation, remediations } from "./remediation";
import type { Method } from "./request";
import type { Operation } from "./schemas/operation";

export type { ErrorKind, Exchange } from "./error-kind";

/**
 * Marks our errors across copies of this package: a program and the provider process may load different ones, where
 * `instanceof` would answer no.
 */
const brand = Symbol.for("neon-pulumi.error");

/** Base of every error of this package: says what happened, where, what was last seen and what to do. */
export class PlatformError extends Error {
  override readonly name: string = "PlatformError";
  readonly kind: ErrorKind;
  readonly #advice: Remediation;
  #fact: string;

  /**
   * @param fact what happened, where, and what was last seen
   * @param advice what to do. Default: what the kind of error calls for.
   */
  constructor(kind: ErrorKind, fact: string, cause: unknown, advice: Remediation = remediations[kind]) {
    super("", { cause });
    this.kind = kind;
    this.#advice = advice;
    this.#fact = fact;
    this.message = this.retold({});
    Object.defineProperty(this, brand, { value: true });
  }

  /** What happened, where, and what was last seen: the message without what to do. */
  get fact(): string {
    return this.#fact;
  }

  /** Adds to what happened. */
  addFact(more: string): void {
    this.#fact = `${this.#fact} ${more}`;
    this.message = this.retold({});
  }

  /** The message with what only the caller knows. */
  retold({ left = "", next = this.#advice.retry ?? "" }: Aftermath): string {
    return sentences(this.#fact, left, this.#advice.fix ?? "", next, this.#advice.fallback ?? "");
  }

  /** Whether something is an error of this package, whichever copy of it made the error. */
  static isInstance(value: unknown): value is PlatformError {
    return typeof value === "object" && value !== null && brand in value;
  }
}

/** What an error cannot know by itself, in sentences. */
export interface Aftermath {
  /** What it has left. */
  readonly left?: string;
  /** What happens next, in place of the advice to try again. */
  readonly next?: string;
}

/** The platform refused a request. Nothing was changed. */
export class HttpError extends PlatformError implements Exchange {
  override readonly name = "HttpError";
  readonly method: Method;
  readonly path: string;
  readonly status: number;
  /** The platform's own code, when it gave one: most answers leave it empty. */
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  /** The platform's own words. */
  readonly reason: string;

  constructor(exchange: Exchange & { status: number; code?: string | undefined; reason: string }) {
    super("refused", refusalFact(exchange), undefined, httpRemediation(exchange));
    this.method = exchange.method;
    this.path = exchange.path;
    this.status = exchange.status;
    this.code = exchange.code;
    this.requestId = exchange.requestId;
    this.reason = exchange.reason;
  }

  static override isInstance(value: unknown): value is HttpError {
    return PlatformError.isInstance(value) && value.kind === "refused";
  }
}

/** Whether an error says that the object asked for is not there (or not visible to this key). */
export function isNotFound(error: unknown): boolean {
  return HttpError.isInstance(error) && error.status === 404;
}

/** Of the platform's own words, as much as is worth reading. */
const mostCharacters = 500;

/** The platform's own words as a part of a sentence of ours. */
export function quoted(words: string): string {
  const said = withoutStop(words.replace(/\s+/g, " "));
  return said.length > mostCharacters ? `${said.slice(0, mostCharacters)}…` : said;
}

function refusalFact({
  method,
  path,
  status,
  requestId,
  reason,
  code,
}: Exchange & { status: number; reason: string; code?: string | undefined }): string {
  const said = [quoted(reason), code].filter(Boolean).join(", ");
  return `${method} ${path} was refused (${status}): ${said}${requestText(requestId)}`;
}

/** By what the platform's support finds a request; behind what is said of its answer. */
export function requestText(requestId: string | undefined): string {
  return requestId === undefined ? "" : ` [request ${requestId}]`;
}

/** The text with a full stop behind it, unless it ends in one, or in something in brackets behind one. */
export function asSentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?]( \(.*\))?$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** The text without a full stop behind it: something follows. */
export function withoutStop(text: string): string {
  return text.trim().replace(/\.+$/, "");
}

/** Several sentences, without those that are empty. */
function sentences(...all: readonly string[]): string {
  return all
    .filter((one) => one !== "")
    .map(asSentence)
    .join(" ");
}

/** A mutation was sent, but whether it was performed is not known: look for its result before sending it again. */
export class OutcomeUnknownError extends PlatformError {
  override readonly name = "OutcomeUnknownError";

  /** @param seen what came back instead of an answer, without the request */
  constructor({ method, path, requestId }: Exchange, seen: string, cause: Error) {
    super(
      "outcome-unknown",
      `${method} ${path} was sent, but its outcome is not known: ${withoutStop(seen)}${requestText(requestId)}`,
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
      }${operation.error === undefined || operation.error === "" ? "" : `: ${quoted(operation.error)}`}`,
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
      `Not done within ${waitedSeconds} s: ${seen}${lastFault === undefined ? "" : `. Last fault: ${factOf(lastFault)}`}`,
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

/** The same without what to do about it, for errors that say that better. */
export function factOf(error: unknown): string {
  return withoutStop(PlatformError.isInstance(error) ? error.fact : messageOf(error));
}

/** The error's message with what only the caller knows. */
export function retold(error: unknown, { left = "", next = "" }: Aftermath): string {
  return PlatformError.isInstance(error) ? error.retold({ left, next }) : sentences(messageOf(error), left, next);
}
