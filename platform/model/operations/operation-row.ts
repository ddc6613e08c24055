import type { TableDefinition } from "../../storage/table";
import type { OperationAction } from "./actions";
import type { FaultEnd } from "./faults";

export interface OperationRow {
  id: string;
  project_id: string;
  branch_id?: string | undefined;
  endpoint_id?: string | undefined;
  action: OperationAction;
  status: string;
  error?: string | undefined;
  failures_count: number;
  retry_at?: string | undefined;
  created_at: string;
  updated_at: string;
  /** The statuses that follow. */
  steps: OperationStep[];
  /** When the status ends; `null` while it is queued, or held until the faults are deleted. */
  due_at: number | null;
  started_at: number | null;
  total_duration_ms: number;
  ended: boolean;
  fault: FaultEnd | null;
  /** Whether its work in Postgres is still to be done, undone when its time was up, or done; undefined if it has none. */
  work?: "pending" | "awaited" | "done" | undefined;
  /** Why its work has failed. */
  work_error?: string | undefined;
}

/** A status of an operation and how long it lasts; `null` means until the faults are deleted. */
interface OperationStep {
  status: string;
  milliseconds: number | null;
}

export const operationTable: TableDefinition<OperationRow> = {
  name: "operations",
  public: [
    "id",
    "project_id",
    "branch_id",
    "endpoint_id",
    "action",
    "status",
    "error",
    "failures_count",
    "retry_at",
    "created_at",
    "updated_at",
    "total_duration_ms",
  ],
  columns: ["id", "project_id", "endpoint_id", "created_at", "due_at", "ended", "work"],
  indexes: ["project_id, created_at", "project_id, ended, created_at", "due_at", "work, ended"],
  latest: "created_at",
};
