import { z } from "zod";

import { pagedRequest, path, request } from "../core/request";
import { nextPagination } from "./wire";

/** The roles of a member of the organization in one of its projects. */
export const projectRoles = ["viewer", "editor", "admin"] as const;
export const projectRole = z.enum(projectRoles);

/** A member of the organization, with the member's role in a project. Only the newer published document has it. */
export const projectMember = z.looseObject({
  member_id: z.string().describe("Id of the member in the organization."),
  user_id: z.string().describe("Id of the member's account."),
  email: z.string().optional().describe("E-mail address of the member."),
  name: z.string().optional().describe("Name of the member."),
  org_role: z.string().describe("Role in the organization."),
  project_role: z
    .string()
    .optional()
    .describe("Role in the project: `viewer`, `editor`, `admin`. Absent if the role in the organization counts."),
  effective_project_permission: z.string().optional().describe("The member's permission: `VIEWER`, `EDITOR`, `ADMIN`."),
  grant_source: z
    .string()
    .optional()
    .describe("The source of the permission: `explicit`, `org_role_default`, `org_admin_override`, `unassigned`."),
});
export type ProjectMember = z.infer<typeof projectMember>;

const memberPage = z.looseObject({ project_members: z.array(projectMember), pagination: nextPagination.optional() });

/** The body that gives a member a role in a project. */
export const projectMemberRoleSet = z.object({
  role: projectRole.describe("`viewer` reads the project, `editor` also changes it, `admin` manages it."),
});
type ProjectMemberRoleSet = z.infer<typeof projectMemberRoleSet>;

const roleChanged = z.looseObject({ member_id: z.string(), project_role: z.string().optional() });

/** Requests for the roles of an organization's members in one of its projects. */
export const projectMembers = {
  list: (projectId: string) =>
    pagedRequest("next", path`/projects/${projectId}/members`, memberPage, {
      items: (page) => page.project_members,
      maxPageSize: 500,
    }),
  /** @param isConfirmed whether users may give themselves a lower role */
  setRole: (projectId: string, memberId: string, body: ProjectMemberRoleSet, isConfirmed?: boolean) =>
    request("PUT", path`/projects/${projectId}/members/${memberId}/role`, roleChanged, {
      body,
      query: { confirm_self_demotion: isConfirmed },
    }),
  /** @param isConfirmed whether users may take from themselves the right to manage the project */
  removeRole: (projectId: string, memberId: string, isConfirmed?: boolean) =>
    request("DELETE", path`/projects/${projectId}/members/${memberId}/role`, roleChanged, {
      query: { confirm_self_lockout: isConfirmed },
    }),
};
