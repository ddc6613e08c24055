import type { RowTable } from "../containment";

export type ProjectRole = "viewer" | "editor" | "admin";

/** The role of an organization's member in one project. It counts instead of the member's role in the organization. */
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
