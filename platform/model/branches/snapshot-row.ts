import type { Stored, vendor } from "../../published/answers";
import { purgeRows, type RowTable } from "../containment";
import type { Deletable } from "../deletable";
import { folderOf, removeFiles } from "../files";
import type { DataOrigin } from "./data-origin";

/** Members that the API returns as they are stored. */
export const snapshotMembers = [
  "id",
  "source_branch_id",
  "name",
  "slug",
  "lsn",
  "timestamp",
  "created_at",
  "expires_at",
  "manual",
  "full_size",
] as const;

export interface SnapshotRow extends Deletable, Stored<vendor.Snapshot, typeof snapshotMembers> {
  project_id: string;
  source_branch_id: string;
  /**
   * The hidden branch with the snapshot's data. Its id is that of the snapshot's operations, roles and
   * databases; clients never see the branch.
   */
  hidden_branch_id: string;
  /** A second unique name, which never changes. */
  slug: string;
  /** Whether a client took the snapshot, not a backup schedule. */
  manual: boolean;
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
