import { progressOf } from "../../api/operations/status";
import type { ControlPlane } from "../model/control-plane";
import type { OperationRow } from "../model/operations/operation";
import type { Recorded, RunOperation, RunRequest } from "../pulumi-run/run";

/** The data of the timeline: recorded requests, and the operations and names in the tables. */
export function recordedRuns(
  { tables, clock }: Pick<ControlPlane, "tables" | "clock">,
  requests: readonly RunRequest[],
): Recorded {
  return {
    requests,
    operation: remembered((id) => {
      const row = tables.operations.get({ id });
      return row && runOperation(row, clock.now());
    }),
    projectName: remembered((id) => tables.projects.get({ id })?.name),
    branchName: remembered((id) => tables.branches.get({ id })?.name),
  };
}

/** Returns a function that reads each row once, even if many requests are about it. */
function remembered<Value>(read: (id: string) => Value): (id: string) => Value {
  const known = new Map<string, Value>();
  return (id) => {
    if (!known.has(id)) known.set(id, read(id));
    return known.get(id) as Value;
  };
}

function runOperation(row: OperationRow, now: number): RunOperation {
  const startedAt = row.started_at ?? Date.parse(row.created_at);
  const progress = progressOf(row.status);
  return {
    id: row.id,
    projectId: row.project_id,
    branchId: row.branch_id,
    action: row.action,
    status: row.status,
    isFailed: progress === "failure" || progress === "retryable",
    startedAt,
    milliseconds: row.ended ? row.total_duration_ms : Math.max(0, now - startedAt),
    isEnded: row.ended,
  };
}
