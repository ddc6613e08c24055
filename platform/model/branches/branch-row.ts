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
  /** When its own history starts, if that is not `created_at`. */
  history_since?: string | undefined;
  /** What its data is built from by the operation that creates or restores it. */
  origin?: DataOrigin | undefined;
  /** Where its own history starts in the write-ahead log, if it has a Postgres. */
  history_lsn?: string | undefined;
  /** Set while there is no history that points in time can be recovered from, although it has a Postgres. */
  without_history?: true | undefined;
  /** The end of its write-ahead log when that was last read, if it has a Postgres. */
  current_lsn?: string | undefined;
  /** Where its history starts after the restore in progress has succeeded. */
  restoring?: Pick<BranchRow, "parent_lsn" | "parent_timestamp"> | undefined;
  /** `restored` or `finalized` on a branch that was restored from a snapshot. */
  restore_status?: string | undefined;
  /** The snapshot that it was restored from. */
  restored_from?: string | undefined;
  /** The branch that it replaces. */
  restored_as?: string | undefined;
  compute_time_seconds: number;
  active_time_seconds: number;
  /** Whether the project was created with it. */
  first: boolean;
  annotation: { value: Readonly<Record<string, string>>; created_at: string; updated_at: string } | null;
  recoverable_until: string | null;
  deletion_method: "user" | "ttl" | null;
  /** How its data is masked, if it was created for that. */
  masking?: MaskingRow | undefined;
  /** When the time of the run of the masking that is in progress is up. */
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
