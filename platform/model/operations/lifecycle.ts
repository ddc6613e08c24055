import { randomUUID } from "node:crypto";

import { isEnded, progressOf } from "../../../api/operations/status";
import type { ControlPlane } from "../control-plane";
import { getOperation, type OperationRow, type PlannedOperation } from "./operation";
import { isWorkingAction, type OperationAction } from "./actions";
import { applyEffects, revertEffects, targetEndpointState } from "./effects";
import type { FaultEnd } from "./faults";
import { requireUnlockedProject } from "./project-lock";

/**
 * The statuses of an operation and how long each lasts, as a share of the operation time; `held` lasts until the faults are
 * deleted.
 */
type StatusScript = readonly (readonly [status: string, share?: number | "held"])[];

const scripts: Readonly<Record<FaultEnd | "finished", StatusScript>> = {
  finished: [["running", 1], ["finished"]],
  failed: [["running", 1], ["failed", "held"], ["running", 1], ["finished"]],
  "failed-then-finished": [["running", 1], ["failed", 0.5], ["running", 1], ["finished"]],
  error: [["running", 1], ["error"]],
  cancelled: [["running", 1], ["cancelling", 0.25], ["cancelled"]],
  stuck: [["running", "held"], ["finished"]],
  "stuck-then-error": [["running", "held"], ["error"]],
  unknown: [["running", 1], ["postponed", "held"], ["running", 1], ["finished"]],
  skipped: [["skipped"]],
};

const failures: readonly string[] = ["failed", "error"];

/**
 * Starts operations of a project. The first one runs at once, the others are queued.
 *
 * @throws HttpError 423 while other operations of the project are in progress.
 */
export function startOperations(
  controlPlane: ControlPlane,
  projectId: string,
  planned: readonly PlannedOperation[],
): OperationRow[] {
  if (planned.length === 0) return [];
  requireUnlockedProject(controlPlane, projectId);
  const { tables, clock, timestamps, faults, operationTimes } = controlPlane;
  const ids = planned.map(({ action, branchId, endpointId, isImmediate = false }) => {
    const fault = faults.forOperation(action);
    const row: OperationRow = {
      id: randomUUID(),
      project_id: projectId,
      branch_id: branchId,
      endpoint_id: endpointId,
      action,
      status: "scheduling",
      failures_count: 0,
      ...timestamps.created(),
      steps: stepsOf(scripts[fault ?? "finished"], isImmediate ? 0 : operationTimes.of(action)),
      due_at: null,
      started_at: null,
      total_duration_ms: 0,
      ended: false,
      fault: fault ?? null,
      work: hasWork(controlPlane, action, fault) ? "pending" : undefined,
    };
    tables.operations.put(row);
    return row.id;
  });
  for (const { endpointId } of planned) updatePendingState(controlPlane, projectId, endpointId);
  runNextOperation(controlPlane, projectId, clock.now());
  return ids.map((id) => getOperation(controlPlane, projectId, id));
}

/** Operations with these ends do nothing in Postgres. */
const endsWithoutWork: readonly FaultEnd[] = ["error", "cancelled", "skipped"];

function hasWork({ databases }: ControlPlane, action: OperationAction, fault: FaultEnd | undefined): boolean {
  if (!databases || !isWorkingAction(action)) return false;
  return fault === undefined || !endsWithoutWork.includes(fault);
}

/** The operations whose work can be done now. */
export function operationsWithWork({ tables }: ControlPlane): OperationRow[] {
  return (["pending", "awaited"] as const)
    .flatMap((work) => tables.operations.list({ work, ended: 0 }))
    .filter(({ status }) => status === "running");
}

/** Records that the work of an operation is done, or why it has failed. The operation ends when its time is up. */
export function endWork(controlPlane: ControlPlane, operationId: string, failure?: string): void {
  const { tables, clock } = controlPlane;
  const operation = tables.operations.get({ id: operationId, ended: 0 });
  if (!operation) return;
  const isFailed = failure !== undefined;
  tables.operations.put({
    ...operation,
    work: "done",
    work_error: failure,
    steps: isFailed ? [{ status: "error", milliseconds: 0 }] : operation.steps,
    due_at: isFailed || operation.work === "awaited" ? clock.now() : operation.due_at,
  });
}

/** Resumes the operations that a fault holds in a status. */
export function releaseHeldOperations({ tables, clock }: ControlPlane): void {
  for (const operation of tables.operations.list({ ended: 0 })) {
    const isHeld = operation.status !== "scheduling" && operation.due_at === null;
    tables.operations.put({
      ...operation,
      steps: operation.steps.map((step) => ({ ...step, milliseconds: step.milliseconds ?? 0 })),
      due_at: isHeld ? clock.now() : operation.due_at,
    });
  }
}

function stepsOf(script: StatusScript, milliseconds: number): OperationRow["steps"] {
  return script.map(([status, share = 0]) => ({
    status,
    milliseconds: share === "held" ? null : share * milliseconds,
  }));
}

/** Runs the oldest operation of a project that has not ended, unless it is running. */
function runNextOperation(controlPlane: ControlPlane, projectId: string, at: number): void {
  const { operations } = controlPlane.tables;
  const [next] = operations.list({ project_id: projectId, ended: 0 }, "ORDER BY created_at LIMIT 1");
  if (next?.status === "scheduling") advance(controlPlane, next, at);
}

/** Moves an operation to its next status once the work of the current one is done. */
export function advance(controlPlane: ControlPlane, operation: OperationRow, at: number): void {
  if (operation.status === "running" && (operation.work === "pending" || operation.work === "awaited")) {
    controlPlane.tables.operations.put({ ...operation, work: "awaited", due_at: null });
    return;
  }
  const [next = { status: "finished", milliseconds: 0 }, ...steps] = operation.steps;
  const { status } = next;
  const timestamp = controlPlane.timestamps.next(at);
  const failed = failures.includes(status);
  const isRetry = status === "running" && operation.failures_count > 0;
  const lastError = isRetry ? undefined : operation.error;
  const startedAt = operation.started_at ?? at;
  const ended = isEnded(status);
  const advanced: OperationRow = {
    ...operation,
    error: failed ? `${operation.action} did not succeed (${operation.work_error ?? "a scripted fault"})` : lastError,
    retry_at: isRetry ? timestamp : operation.retry_at,
    status,
    steps,
    failures_count: operation.failures_count + (failed ? 1 : 0),
    updated_at: timestamp,
    started_at: startedAt,
    due_at: ended || next.milliseconds === null ? null : at + next.milliseconds,
    ended,
    total_duration_ms: ended ? at - startedAt : 0,
  };
  controlPlane.tables.operations.put(advanced);
  if (ended) endOperation(controlPlane, advanced, at);
}

/** Applies the effects of an operation that succeeded. After a failure, cancels the operations that are queued after it. */
function endOperation(controlPlane: ControlPlane, operation: OperationRow, at: number): void {
  const { project_id: projectId } = operation;
  if (progressOf(operation.status) === "success") applyEffects(controlPlane, operation, at);
  else {
    revertEffects(controlPlane, operation);
    cancelQueuedOperations(controlPlane, projectId, at);
  }
  updatePendingState(controlPlane, projectId, operation.endpoint_id);
  runNextOperation(controlPlane, projectId, at);
}

function cancelQueuedOperations(controlPlane: ControlPlane, projectId: string, at: number): void {
  const { operations } = controlPlane.tables;
  for (const queued of operations.list({ project_id: projectId, ended: 0 }, "ORDER BY created_at")) {
    operations.put({
      ...queued,
      status: "cancelled",
      steps: [],
      due_at: null,
      ended: true,
      updated_at: controlPlane.timestamps.next(at),
    });
    revertEffects(controlPlane, queued);
    updatePendingState(controlPlane, projectId, queued.endpoint_id);
  }
}

/** Sets the `pending_state` of a compute to the state that its operations in progress lead to. */
function updatePendingState({ tables }: ControlPlane, projectId: string, endpointId: string | undefined): void {
  if (endpointId === undefined) return;
  const endpoint = tables.endpoints.get({ id: endpointId });
  if (!endpoint) return;
  const target = tables.operations
    .list({ project_id: projectId, endpoint_id: endpointId, ended: 0 }, "ORDER BY created_at")
    .map(({ action }) => targetEndpointState(action, endpoint.current_state))
    .find((state) => state !== undefined);
  tables.endpoints.put({ ...endpoint, pending_state: target });
}
