import { purgeRows, type RowTable } from "../containment";
import type { Deletable } from "../deletable";
import { folderOf, removeFiles } from "../files";
import type { DataOrigin } from "./data-origin";

export interface SnapshotRow extends Deletable {
  id: string;
  project_id: string;
  source_branch_id: string;
  /** The branch that holds its data: its operations, roles and databases have this id, but no client sees it. */
  hidden_branch_id: string;
  name: string;
  /** Another unique name, which never changes. */
  slug: string;
  lsn?: string | undefined;
  timestamp?: string | undefined;
  created_at: string;
  expires_at?: string | undefined;
  /** Whether it was requested, not taken by a backup schedule. */
  manual: boolean;
  full_size?: number | undefined;
  /** The operation that takes the snapshot, until that has succeeded. */
  creation_id: string | null;
  /** What its data is taken from. */
  origin: DataOrigin;
}

export const snapshotTable: RowTable<SnapshotRow> = {
  name: "snapshots",
  within: "project",
  purged(controlPlane, { id, hidden_branch_id }) {
    removeFiles(controlPlane, folderOf.snapshot(id));
    purgeRows(controlPlane, "branch", hidden_branch_id);
  },
  columns: ["manual", "deleted_at"],
  indexes: ["project_id, created_at", "expires_at", "creation_id", "deletion_id"],
  latest: "created_at",
};
