import type { TableDefinition } from "../../storage/table";

/** Shares a project with a user. */
export interface PermissionRow {
  id: string;
  project_id: string;
  granted_to_email: string;
  granted_at: string;
  revoked_at: string | null;
}

export const permissionTable: TableDefinition<PermissionRow> = {
  name: "permissions",
  public: ["id", "granted_to_email", "granted_at"],
  columns: ["id", "project_id", "granted_to_email", "granted_at", "revoked_at"],
  indexes: ["project_id, granted_at", "granted_to_email"],
  latest: "granted_at",
};
