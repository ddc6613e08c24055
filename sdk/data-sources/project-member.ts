// Generated from api/lookups/project-member.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** A member of the organization, with what the member may do in a project. */
export interface ProjectMemberResult {
  /** Id of the member in the organization. */
  readonly memberId: string;
  /** Id of the member's account. */
  readonly userId: string;
  /** E-mail address of the member. */
  readonly email?: string;
  /** Name of the member. */
  readonly name?: string;
  /** Role in the organization. */
  readonly orgRole: string;
  /** Role in the project: `viewer`, `editor`, `admin`. Absent if the role in the organization counts. */
  readonly projectRole?: string;
  /** The member's permission: `VIEWER`, `EDITOR`, `ADMIN`. */
  readonly effectiveProjectPermission?: string;
  /** The source of the permission: `explicit`, `org_role_default`, `org_admin_override`, `unassigned`. */
  readonly grantSource?: string;
}

/** Arguments of `getProjectMembers`. */
export interface GetProjectMembersArgs {
  /** Id of the project. */
  readonly projectId: string;
}

const getProjectMembersSource = dataSource<GetProjectMembersArgs, ProjectMemberResult[]>("getProjectMembers");

/**
 * Lists the members of the organization with their roles in a project.
 *
 * Neon API: `GET /projects/{project_id}/members`.
 *
 * @example
 * ```ts
 * export const managers = members.apply((all) =>
 *   all.filter(({ effectiveProjectPermission }) => effectiveProjectPermission === "ADMIN"),
 * );
 * ```
 */
export function getProjectMembers(args: GetProjectMembersArgs, options?: LookupOptions) {
  return getProjectMembersSource.invoke(args, options);
}

/**
 * Output form of {@link getProjectMembers}: the arguments can be outputs.
 *
 * @example
 * ```ts
 * const members = neon.getProjectMembersOutput({ projectId: project.id });
 * export const viewers = members.apply((all) => all.filter(({ projectRole }) => projectRole === "viewer"));
 * ```
 */
export function getProjectMembersOutput(args: Inputs<GetProjectMembersArgs>, options?: LookupOptions) {
  return getProjectMembersSource.output(args, options);
}
