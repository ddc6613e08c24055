import type { Stored, vendor } from "../../published/answers";
import { purgeRows, type RowTable } from "../containment";
import type { Author } from "../accounts/user-row";
import type { Deletable } from "../deletable";
import { folderOf, removeFiles } from "../files";
import type { DataOrigin } from "./data-origin";
import type { MaskingRow } from "./masking-row";

/** Members that the API returns as they are stored. */
export const branchMembers = [
  "id",
  "project_id",
  "parent_id",
  "parent_lsn",
  "parent_timestamp",
  "name",
  "current_state",
  "pending_state",
  "state_changed_at",
  "creation_source",
  "default",
  "protected",
  "init_source",
  "created_at",
  "updated_at",
  "created_by",
  "expires_at",
  "ttl_interval_seconds",
  "logical_size",
  "last_reset_at",
  "restore_status",
  "restored_from",
  "restored_as",
  "compute_time_seconds",
  "active_time_seconds",
] as const;

export interface BranchRow extends Deletable, Stored<vendor.Branch, typeof branchMembers> {
  init_source: string;
  created_by: Author;
  /** The start of the branch's own history, if it differs from `created_at`. */
  history_since?: string | undefined;
  /** The source of the data that the creation or restore in progress builds. */
  origin?: DataOrigin | undefined;
  /** The position in the write-ahead log where the branch's own history starts, if the branch has a Postgres. */
  history_lsn?: string | undefined;
  /** Set while a branch with a Postgres has no history from which to recover a point in time. */
  without_history?: true | undefined;
  /** The end of the write-ahead log as last read, if the branch has a Postgres. */
  current_lsn?: string | undefined;
  /** The start of the history after the restore in progress has succeeded. */
  restoring?: Pick<BranchRow, "parent_lsn" | "parent_timestamp"> | undefined;
  /** Whether the branch was created with its project. */
  first: boolean;
  annotation: { value: Readonly<Record<string, string>>; created_at: string; updated_at: string } | null;
  recoverable_until: string | null;
  deletion_method: "user" | "ttl" | null;
  /** The masking of the data, if the branch was created for masking. */
  masking?: MaskingRow | undefined;
  /** The end of the operation time of the masking run in progress. */
  masking_due_at: number | null;
}

export const branchTable: RowTable<BranchRow> = {
  name: "branches",
  within: "project",
  purged(controlPlane, { id }) {
    removeFiles(controlPlane, folderOf.branch(id));
    purgeRows(controlPlane, "branch", id);
  },
  columns: ["protected"],
  indexes: [
    "project_id, name",
    "masking_due_at",
    "project_id, created_at",
    "project_id, updated_at",
    'project_id, "default"',
    "parent_id",
    "expires_at",
    "project_id, deleted_at",
    "deletion_id, recoverable_until",
  ],
  latest: "updated_at",
};
