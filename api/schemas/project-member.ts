import { z } from "zod";

import { type PagedRequest, path, request } from "../core/request";
import { nextPagination } from "./wire";

/** The roles of a member of the organization in one of its projects. */
export const projectRoles = ["viewer", "editor", "admin"] as const;
export const projectRole = z.enum(projectRoles);

/** A member of the organization, with what the member may do in a project. Only the newer published document has it. */
export const projectMember = z.looseObject({
  member_id: z.string(),
  user_id: z.string(),
  email: z.string().optional(),
  name: z.string().optional(),
  org_role: z.string(),
  project_role: z.string().optional(),
  effective_project_permission: z.string().optional(),
  grant_source: z.string().optional(),
});
export type ProjectMember = z.infer<typeof projectMember>;

const memberPage = z.looseObject({ project_members: z.array(projectMember), pagination: nextPagination.optional() });

/** The body that gives a member a role in a project. */
export const projectMemberRoleSet = z.object({ role: projectRole });
type ProjectMemberRoleSet = z.infer<typeof projectMemberRoleSet>;

const roleChanged = z.looseObject({ member_id: z.string(), project_role: z.string().optional() });

/** Requests for what members of an organization may do in one of its projects. */
export const projectMembers = {
  list: (projectId: string): PagedRequest<ProjectMember, z.infer<typeof memberPage>> => ({
    method: "GET",
    path: path`/projects/${projectId}/members`,
    schema: memberPage,
    items: (page) => page.project_members,
    cursor: (page) => page.pagination?.next,
    isCursorOptional: true,
    maxPageSize: 500,
  }),
  setRole: (projectId: string, memberId: string, body: ProjectMemberRoleSet) =>
    request("PUT", path`/projects/${projectId}/members/${memberId}/role`, roleChanged, { body }),
  removeRole: (projectId: string, memberId: string) =>
    request("DELETE", path`/projects/${projectId}/members/${memberId}/role`, roleChanged),
};
