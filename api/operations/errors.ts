import { NeonError, quoted, summaryOf } from "../core/errors";
import type { Operation } from "../schemas/operation";

/** An operation ended without success, or stayed `failed` longer than the grace period. */
export class OperationFailedError extends NeonError {
  override readonly name = "OperationFailedError";
  readonly operation: Operation;

  constructor(operation: Operation, waitedSeconds: number) {
    super(
      "operation-failed",
      `Operation ${operation.id} (${operation.action}) ${
        operation.status === "failed"
          ? `did not recover from status failed within ${waitedSeconds} s`
          : `ended with status ${operation.status}`
      } (failures: ${operation.failures_count})${operation.error === undefined || operation.error === "" ? "" : `: ${quoted(operation.error)}`}`,
      undefined,
    );
    this.operation = operation;
  }

  static override isInstance(value: unknown): value is OperationFailedError {
    return NeonError.isInstance(value) && value.kind === "operation-failed";
  }
}

/** Operations did not end before the deadline. They continue on the platform. */
export class OperationTimeoutError extends NeonError {
  override readonly name = "OperationTimeoutError";
  /** The operations as of the last poll. */
  readonly operations: readonly Operation[];

  constructor(operations: readonly Operation[], waitedSeconds: number, lastPollError: Error | undefined) {
    const statuses = operations.map((operation) => `${operationText(operation)} is ${operation.status}`).join("; ");
    super(
      "operation-timeout",
      `Timed out after ${waitedSeconds} s: ${statuses}${lastPollError === undefined ? "" : `. Last poll error: ${summaryOf(lastPollError)}`}`,
      lastPollError,
    );
    this.operations = operations;
  }

  static override isInstance(value: unknown): value is OperationTimeoutError {
    return NeonError.isInstance(value) && value.kind === "operation-timeout";
  }
}

/** The description of an operation for error messages. */
function operationText(operation: Operation): string {
  return `operation ${operation.id} (${operation.action})`;
}
