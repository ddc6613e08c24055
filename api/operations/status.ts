/**
 * The progress that each operation status means.
 *
 * `failed` is not final: the platform may attempt the operation again. A status that is not in this table counts as
 * pending, because it comes from a newer version of the platform.
 */
export const operationStatuses = {
  scheduling: "pending",
  running: "pending",
  cancelling: "pending",
  failed: "retryable",
  finished: "success",
  skipped: "success",
  cancelled: "failure",
  error: "failure",
} as const;

/** A status that the platform documents. */
export type OperationStatus = keyof typeof operationStatuses;

/** The progress of an operation: pending, failed but retryable, succeeded, or failed for good. */
export type OperationProgress = (typeof operationStatuses)[OperationStatus];

/** The progress that a status means. An unknown status counts as pending. */
export function progressOf(status: string): OperationProgress {
  return Object.hasOwn(operationStatuses, status) ? operationStatuses[status as OperationStatus] : "pending";
}

/** Whether an operation with this status has ended. */
export function isEnded(status: string): boolean {
  const progress = progressOf(status);
  return progress === "success" || progress === "failure";
}
