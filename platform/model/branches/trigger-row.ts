import type { TriggerCreate } from "../../../api/schemas/trigger";
import type { Complete } from "../complete";
import type { TableDefinition } from "../../storage/table";

/** A trigger as it is effective on a branch. A child has a copy of its own. */
export interface TriggerRow extends Complete<
  Pick<TriggerCreate, "type" | "function_slug" | "name" | "function_path" | "enabled">
> {
  /** The same on all branches of the project that have it. */
  trigger_id: string;
  project_id: string;
  branch_id: string;
  schedule?: TriggerCreate["schedule"];
  storage_object_created?: TriggerCreate["storage_object_created"];
  /** Rises with each change. */
  version: number;
  /** Whether an ancestor has declared it, and the branch has not changed it. */
  inherited: boolean;
  /** When it is due next, if it is an enabled schedule; in milliseconds since 1970. */
  next_at: number | null;
  /** When it has last invoked its function. */
  invoked_at?: string | undefined;
  created_at: string;
}

export const triggerTable: TableDefinition<TriggerRow> = {
  name: "triggers",
  public: [
    "trigger_id",
    "type",
    "function_slug",
    "name",
    "function_path",
    "schedule",
    "storage_object_created",
    "enabled",
    "version",
    "inherited",
  ],
  columns: ["trigger_id", "project_id", "branch_id", "type", "name", "enabled", "next_at", "created_at"],
  primaryKey: ["branch_id", "trigger_id"],
  indexes: ["project_id", "branch_id, type", "next_at"],
  latest: "created_at",
};
