import { randomUUID } from "node:crypto";

import { isEnded, progressOf } from "../../api/operations/status";
import { locked, notFound } from "../http-error";
import type { ControlPlane } from "./control-plane";
import { abandon, endpointStateAfter, takeEffect } from "./effects";
import type { FaultEnd } from "./faults";
import type { OperationRow } from "./rows";

/** An operation that a request needs; those of one request run one after the other. */
export interface Plan {
  readonly action: string;
  readonly branchId?: string | undefined;
  readonly endpointId?: string | undefined;
}

/** How long a status lasts, in terms of what the operation takes altogether; `held` is until the faults are deleted. */
type Script = readonly (readonly [status: string, share?: number | "held"])[];

const scripts: Readonly<Record<FaultEnd | "finished", Script>> = {
  finished: [["running", 1], ["finished"]],
  failed: [["running", 1], ["failed", "held"], ["running", 1], ["finished"]],
  "failed-then-finished": [["running", 1], ["failed", 0.5], ["running", 1], ["finished"]],
  error: [["running", 1], ["error"]],
  cancelled: [["running", 1], ["cancelling", 0.25], ["cancelled"]],
  stuck: [["running", "held"], ["finished"]],
  unknown: [["running", 1], ["postponed", "held"], ["running", 1], ["finished"]],
  skipped: [["skipped"]],
};

const failures: readonly string[] = ["failed", "error"];

/** Refuses work on a project that has operations under way. */
export function requireFree({ tables }: ControlPlane, projectId: string): void {
  if (tables.operations.get({ project_id: projectId, ended: 0 })) {
    throw locked("project already has running conflicting operations, scheduling of new ones is prohibited");
  }
}

/**
 * Starts operations on a project, the first of them at once.
 *
 * @throws Refusal 423 if any other operation of the project has not ended.
 */
export function begin(plane: ControlPlane, projectId: string, plans: readonly Plan[]): OperationRow[] {
  if (plans.length === 0) return [];
  requireFree(plane, projectId);
  const { tables, clock, stamps } = plane;
  const ids = plans.map(({ action, branchId, endpointId }) => {
    const stamp = stamps.next();
    const end = plane.faults.forOperation(action);
    const row: OperationRow = {
      id: randomUUID(),
      project_id: projectId,
      ...(branchId === undefined ? {} : { branch_id: branchId }),
      ...(endpointId === undefined ? {} : { endpoint_id: endpointId }),
      action,
      status: "scheduling",
      failures_count: 0,
      created_at: stamp,
      updated_at: stamp,
      steps: stepsOf(scripts[end ?? "finished"], plane.operationTime(action)),
      due_at: null,
      started_at: null,
      total_duration_ms: 0,
      ended: false,
      fault: end ?? null,
    };
    tables.operations.put(row);
    return row.id;
  });
  for (const plan of plans) showTarget(plane, projectId, plan.endpointId);
  runNext(plane, projectId, clock.now());
  return ids.map((id) => operationOf(plane, projectId, id));
}

/** Moves on every operation whose present status is over by now. */
export function advance(plane: ControlPlane, now: number): void {
  for (;;) {
    const [due] = plane.tables.operations.list({}, "AND due_at <= ? ORDER BY due_at, created_at LIMIT 1", now);
    if (!due) return;
    step(plane, due, due.due_at ?? now);
  }
}

/** When the next operation moves on. */
export function nextAdvance({ tables }: ControlPlane): number | undefined {
  const due = tables.operations.smallest("due_at", {});
  return typeof due === "number" ? due : undefined;
}

/** Frees the operations that wait for the faults to be deleted: the control plane takes them up again. */
export function release(plane: ControlPlane): void {
  const { tables, clock } = plane;
  for (const operation of tables.operations.list({ ended: 0 })) {
    const isHeld = operation.status !== "scheduling" && operation.due_at === null;
    tables.operations.put({
      ...operation,
      steps: operation.steps.map((next) => ({ ...next, milliseconds: next.milliseconds ?? 0 })),
      due_at: isHeld ? clock.now() : operation.due_at,
    });
  }
}

/** An operation of a project. */
export function operationOf({ tables }: ControlPlane, projectId: string, operationId: string): OperationRow {
  const found = tables.operations.get({ id: operationId, project_id: projectId });
  if (!found) throw notFound("operation");
  return found;
}

/** An operation as clients see it. */
export function operationAnswer({ clock }: ControlPlane, row: OperationRow): object {
  const { steps: _steps, due_at: _due, started_at: started, ended, fault: _fault, ...shown } = row;
  const elapsed = ended || started === null ? row.total_duration_ms : clock.now() - started;
  return { ...shown, total_duration_ms: Math.max(0, Math.round(elapsed)) };
}

function stepsOf(script: Script, milliseconds: number): OperationRow["steps"] {
  return script.map(([status, share = 0]) => ({
    status,
    milliseconds: share === "held" ? null : share * milliseconds,
  }));
}

/** Starts the project's next operation that waits its turn. */
function runNext(plane: ControlPlane, projectId: string, at: number): void {
  const [waiting] = plane.tables.operations.list({ project_id: projectId, ended: 0 }, "ORDER BY created_at LIMIT 1");
  if (waiting?.status === "scheduling") step(plane, waiting, at);
}

/** Takes an operation from its present status to the next one. */
function step(plane: ControlPlane, operation: OperationRow, at: number): void {
  const { error: lastError, retry_at: lastRetry, ...rest } = operation;
  const [next = { status: "finished", milliseconds: 0 }, ...steps] = operation.steps;
  const { status } = next;
  const stamp = plane.stamps.next(at);
  const failed = failures.includes(status);
  const isRetry = status === "running" && operation.failures_count > 0;
  const error = failed ? `${operation.action} did not succeed (a scripted fault)` : isRetry ? undefined : lastError;
  const retriedAt = isRetry ? stamp : lastRetry;
  const started = operation.started_at ?? at;
  const ended = isEnded(status);
  const moved: OperationRow = {
    ...rest,
    ...(error === undefined ? {} : { error }),
    ...(retriedAt === undefined ? {} : { retry_at: retriedAt }),
    status,
    steps,
    failures_count: operation.failures_count + (failed ? 1 : 0),
    updated_at: stamp,
    started_at: started,
    due_at: ended || next.milliseconds === null ? null : at + next.milliseconds,
    ended,
    total_duration_ms: ended ? at - started : 0,
  };
  plane.tables.operations.put(moved);
  if (ended) settle(plane, moved, at);
}

function settle(plane: ControlPlane, operation: OperationRow, at: number): void {
  const { project_id: projectId } = operation;
  if (progressOf(operation.status) === "success") takeEffect(plane, operation, at);
  else {
    abandon(plane, operation);
    cancelFollowers(plane, projectId, at);
  }
  showTarget(plane, projectId, operation.endpoint_id);
  runNext(plane, projectId, at);
}

/** What was to come after an operation that has not succeeded would find nothing to work on. */
function cancelFollowers(plane: ControlPlane, projectId: string, at: number): void {
  for (const waiting of plane.tables.operations.list({ project_id: projectId, ended: 0 }, "ORDER BY created_at")) {
    plane.tables.operations.put({
      ...waiting,
      status: "cancelled",
      steps: [],
      due_at: null,
      ended: true,
      updated_at: plane.stamps.next(at),
    });
    abandon(plane, waiting);
    showTarget(plane, projectId, waiting.endpoint_id);
  }
}

/** Shows on a compute the state that its operations under way take it to, if any. */
function showTarget({ tables }: ControlPlane, projectId: string, endpointId: string | undefined): void {
  if (endpointId === undefined) return;
  const endpoint = tables.endpoints.get({ id: endpointId });
  if (!endpoint) return;
  const target = tables.operations
    .list({ project_id: projectId, endpoint_id: endpointId, ended: 0 }, "ORDER BY created_at")
    .map(({ action }) => endpointStateAfter(action, endpoint.current_state))
    .find((state) => state !== undefined);
  const { pending_state: _former, ...rest } = endpoint;
  tables.endpoints.put({ ...rest, ...(target === undefined ? {} : { pending_state: target }) });
}
