import type { RowTable } from "../containment";

export type ProjectRole = "viewer" | "editor" | "admin";

/** What a member of the organization may do in a project, where that differs from the role in the organization. */
export interface ProjectRoleRow {
  project_id: string;
  member_id: string;
  role: ProjectRole;
}

export const projectRoleTable: RowTable<ProjectRoleRow> = {
  name: "project_roles",
  within: "project",
  primaryKey: ["project_id", "member_id"],
  indexes: ["member_id"],
};
