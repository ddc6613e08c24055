import { NeonError } from "../core/errors";
import type { Operation } from "../schemas/operation";
import { OperationFailedError } from "./errors";
import { progressOf } from "./status";

const defaultQuietGrace = 15_000;
const defaultFailedGrace = 60_000;
/** A new operation may return 404 until the platform has registered it. */
const notFoundGrace = 10_000;

/** How long a wait tolerates the status `failed`. Times in milliseconds. */
export interface FailedGrace {
  /** How long an operation may stay `failed` without a new attempt by the platform. Default: 15,000. */
  readonly quietGrace?: number | undefined;
  /** How long an operation may stay `failed` in total. Default: 60,000. */
  readonly failedGrace?: number | undefined;
}

/** An operation that has not ended yet, as of the last poll. */
export interface PendingOperation {
  readonly operation: Operation;
  /** Since when polls have returned 404. */
  readonly notFoundSince?: number;
  /** Since when the operation is `failed`, and when the platform last attempted it again. */
  readonly failed?: { readonly since: number; readonly lastAttempt: number };
}

/** The result of a poll for one operation: still pending, finished, or failed. */
type Evaluation =
  | { readonly is: "pending"; readonly pending: PendingOperation }
  | { readonly is: "finished"; readonly operation: Operation }
  | { readonly is: "failed"; readonly error: NeonError };

/** The wait that an evaluation belongs to. */
interface EvaluationContext extends FailedGrace {
  readonly now: number;
  /** When the operations were started. */
  readonly since: number;
}

/**
 * Evaluates what a poll returned for an operation.
 *
 * `failed` is not final, because the platform may attempt the operation again: it fails the wait only after a grace period.
 *
 * @param polled `undefined` for a 404
 */
export function evaluate(
  previous: PendingOperation,
  polled: Operation | undefined,
  context: EvaluationContext,
): Evaluation {
  if (polled === undefined) return evaluateNotFound(previous, context.now);
  const progress = progressOf(polled.status);
  switch (progress) {
    case "success":
      return { is: "finished", operation: polled };
    case "failure":
      return { is: "failed", error: new OperationFailedError(polled, seconds(context.now - context.since)) };
    case "pending":
      return { is: "pending", pending: { operation: polled } };
    case "retryable":
      return evaluateFailed(previous, polled, context);
    default:
      return progress satisfies never;
  }
}

function evaluateNotFound(previous: PendingOperation, now: number): Evaluation {
  const { notFoundSince = now } = previous;
  if (now - notFoundSince < notFoundGrace) return { is: "pending", pending: { ...previous, notFoundSince } };
  const { id, action, project_id, status } = previous.operation;
  const summary = `Operation ${id} (${action}) of project ${project_id} was not found. Its last known status was ${status}`;
  return { is: "failed", error: new NeonError("operation-unknown", summary, undefined) };
}

function evaluateFailed(
  { operation, failed }: PendingOperation,
  polled: Operation,
  { now, quietGrace = defaultQuietGrace, failedGrace = defaultFailedGrace }: EvaluationContext,
): Evaluation {
  const isNewAttempt =
    failed === undefined ||
    polled.failures_count !== operation.failures_count ||
    polled.updated_at !== operation.updated_at;
  const since = failed?.since ?? now;
  const lastAttempt = isNewAttempt ? now : failed.lastAttempt;
  if (now - lastAttempt >= quietGrace || now - since >= failedGrace) {
    return { is: "failed", error: new OperationFailedError(polled, seconds(now - since)) };
  }
  return { is: "pending", pending: { operation: polled, failed: { since, lastAttempt } } };
}

/** Milliseconds as seconds, to one decimal place. */
export function seconds(milliseconds: number): number {
  return Math.round(milliseconds / 100) / 10;
}
