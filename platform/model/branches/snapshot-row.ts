import { purgeRows, type RowTable } from "../containment";
import type { Deletable } from "../deletable";
import { folderOf, removeFiles } from "../files";
import type { DataOrigin } from "./data-origin";

export interface SnapshotRow extends Deletable {
  id: string;
  project_id: string;
  source_branch_id: string;
  /**
   * The hidden branch with the snapshot's data. Its id is that of the snapshot's operations, roles and
   * databases; clients never see the branch.
   */
  hidden_branch_id: string;
  name: string;
  /** A second unique name, which never changes. */
  slug: string;
  lsn?: string | undefined;
  timestamp?: string | undefined;
  created_at: string;
  expires_at?: string | undefined;
  /** Whether a client took the snapshot, not a backup schedule. */
  manual: boolean;
  full_size?: number | undefined;
  /** The operation that takes the snapshot, until it has succeeded. */
  creation_id: string | null;
  /** The source of the snapshot's data. */
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
