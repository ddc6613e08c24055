/**
 * What each status of an operation means for someone who waits for it.
 *
 * The platform's specification names eight statuses. `failed` is not final: the control plane may still retry the
 * operation. A status that is not in this table comes from a newer platform and is taken as pending.
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

/** A status the platform's specification names. */
export type OperationStatus = keyof typeof operationStatuses;

/** What a status means: still under way, failed but retryable, done, or ended without success. */
export type OperationProgress = (typeof operationStatuses)[OperationStatus];

/** What a status means; one the table does not know is pending until the deadline says otherwise. */
export function progressOf(status: string): OperationProgress {
  return Object.hasOwn(operationStatuses, status) ? operationStatuses[status as OperationStatus] : "pending";
}

/** Whether an operation with this status goes no further. */
export function isEnded(status: string): boolean {
  const progress = progressOf(status);
  return progress === "success" || progress === "failure";
}
