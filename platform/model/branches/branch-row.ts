import { purgeRows, type RowTable } from "../containment";
import type { Author } from "../accounts/user-row";
import type { Deletable } from "../deletable";
import { folderOf, removeFiles } from "../files";
import type { DataOrigin } from "./data-origin";
import type { MaskingRow } from "./masking-row";

export interface BranchRow extends Deletable {
  id: string;
  project_id: string;
  parent_id?: string | undefined;
  parent_lsn?: string | undefined;
  parent_timestamp?: string | undefined;
  name: string;
  current_state: string;
  pending_state?: string | undefined;
  state_changed_at: string;
  creation_source: string;
  default: boolean;
  protected: boolean;
  init_source: string;
  created_at: string;
  updated_at: string;
  created_by: Author;
  expires_at?: string | undefined;
  ttl_interval_seconds?: number | undefined;
  logical_size?: number | undefined;
  last_reset_at?: string | undefined;
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
  /** `restored` or `finalized` on a branch that was restored from a snapshot. */
  restore_status?: string | undefined;
  /** The snapshot from which the branch was restored. */
  restored_from?: string | undefined;
  /** The branch that this branch replaces. */
  restored_as?: string | undefined;
  compute_time_seconds: number;
  active_time_seconds: number;
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
