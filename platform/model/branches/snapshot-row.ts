import type { TableDefinition } from "../../storage/table";
import type { Deletable } from "../deletable";
import type { DataOrigin } from "./data-origin";
import type { DatabaseRow } from "./database-row";
import type { RoleRow } from "./role-row";

export interface SnapshotRow extends Deletable {
  id: string;
  project_id: string;
  source_branch_id: string;
  /** The branch that holds its data: operations name it, and nothing else does. */
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
  roles: readonly RoleRow[];
  databases: readonly Pick<DatabaseRow, "name" | "owner_name" | "catalog">[];
  /** What its data still has, although it was deleted. */
  deletions: WaitingDeletions;
}

/** Deleted roles and databases that the data of a branch or snapshot still has. */
export interface WaitingDeletions {
  readonly roles: readonly RoleRow[];
  readonly databases: readonly DatabaseRow[];
}

export const snapshotTable: TableDefinition<SnapshotRow> = {
  name: "snapshots",
  public: [
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
  ],
  columns: ["id", "project_id", "created_at", "expires_at", "manual", "creation_id", "deleted_at", "deletion_id"],
  indexes: ["project_id, created_at", "expires_at", "creation_id", "deletion_id"],
  // The passwords of its roles.
  encrypted: ["password", "verifier"],
  latest: "created_at",
};
