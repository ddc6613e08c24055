import type { TableDefinition } from "../../storage/table";

export type ProjectRole = "viewer" | "editor" | "admin";

/** What a member of the organization may do in a project, where that differs from the role in the organization. */
export interface ProjectRoleRow {
  project_id: string;
  member_id: string;
  role: ProjectRole;
}

export const projectRoleTable: TableDefinition<ProjectRoleRow> = {
  name: "project_roles",
  columns: ["project_id", "member_id"],
  primaryKey: ["project_id", "member_id"],
  indexes: ["member_id"],
};
