import type { TableDefinition } from "../../storage/table";
import type { Deletable } from "../deletable";
import type { DataApiRow } from "./data-api-row";

export interface DatabaseRow extends Deletable {
  id: number;
  project_id: string;
  branch_id: string;
  name: string;
  owner_name: string;
  /** The database in Postgres, as the platform has last seen it; undefined before it is created there. */
  catalog?: { oid: number; name: string; owner: string } | undefined;
  /** A copy of the database on another branch has none. */
  data_api?: DataApiRow | undefined;
  created_at: string;
  updated_at: string;
}

export const databaseTable: TableDefinition<DatabaseRow> = {
  name: "databases",
  public: ["id", "branch_id", "name", "owner_name", "created_at", "updated_at"],
  columns: ["project_id", "branch_id", "name", "created_at", "deleted_at", "deletion_id", "id"],
  indexes: ["branch_id, name", "project_id", "deletion_id"],
  latest: "created_at",
};
