import type { TableDefinition } from "../../storage/table";

/** An invocation of a function by a trigger, until the function has answered. */
export interface TriggerDeliveryRow {
  invocation_id: string;
  project_id: string;
  branch_id: string;
  trigger_id: string;
  type: string;
  name: string;
  function_slug: string;
  function_path: string;
  /** What has happened. */
  data: Readonly<Record<string, string>>;
  created_at: string;
  /** How often it was tried without an answer. */
  failures: number;
}

export const triggerDeliveryTable: TableDefinition<TriggerDeliveryRow> = {
  name: "trigger_deliveries",
  columns: ["invocation_id", "project_id", "branch_id", "created_at"],
  primaryKey: ["invocation_id"],
  indexes: ["project_id", "branch_id"],
  latest: "created_at",
};
