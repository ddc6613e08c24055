import { notFound, unprocessable } from "../../http-error";
import type { Caller } from "../accounts/caller";
import { listMembers } from "../accounts/organization";
import { fullName } from "../accounts/user";
import type { ControlPlane } from "../control-plane";
import type { MembershipRow } from "../accounts/membership-row";
import type { ProjectRole } from "./project-role-row";
import type { ProjectRow } from "./project-row";

/** What each role allows, as the API words it. */
const permissions = { viewer: "VIEWER", editor: "EDITOR", admin: "ADMIN" } as const;

/** The members of the organization that owns a project, in the order in which they joined. */
export function listProjectMembers(controlPlane: ControlPlane, { org_id }: ProjectRow): MembershipRow[] {
  return org_id === undefined ? [] : listMembers(controlPlane, org_id);
}

/** Gives a member a role in a project, which counts instead of the one that members of the organization have. */
export function setProjectRole(
  controlPlane: ControlPlane,
  caller: Caller,
  project: ProjectRow,
  memberId: string,
  { role, isConfirmed }: { readonly role: ProjectRole; readonly isConfirmed: boolean },
): MembershipRow {
  const member = getProjectMember(controlPlane, project, memberId);
  const isSelf = caller.kind === "personal" && caller.user.id === member.user_id;
  if (isSelf && role !== "admin" && !isConfirmed) {
    throw unprocessable("this lowers your own role: confirm it with confirm_self_demotion");
  }
  controlPlane.tables.projectRoles.put({ project_id: project.id, member_id: memberId, role });
  return member;
}

/** Takes the role away, so that the role in the organization counts again. */
export function removeProjectRole(controlPlane: ControlPlane, project: ProjectRow, memberId: string): MembershipRow {
  const member = getProjectMember(controlPlane, project, memberId);
  controlPlane.tables.projectRoles.delete({ project_id: project.id, member_id: memberId });
  return member;
}

/** A member in the list of a project, as the API returns it. */
export function projectMemberResponse(
  controlPlane: ControlPlane,
  project: ProjectRow,
  member: MembershipRow,
): Record<string, unknown> {
  const { tables } = controlPlane;
  const user = tables.users.get({ id: member.user_id });
  const explicit = tables.projectRoles.get({ project_id: project.id, member_id: member.id })?.role;
  const byDefault = member.role === "admin" ? "ADMIN" : "EDITOR";
  const isAdmin = member.role === "admin";
  return {
    member_id: member.id,
    user_id: member.user_id,
    email: user?.email,
    name: user && fullName(user),
    org_role: member.role,
    project_role: explicit,
    org_default_project_permission: byDefault,
    explicit_project_permission: explicit && permissions[explicit],
    // Administrators of the organization keep all rights.
    effective_project_permission: isAdmin || explicit === undefined ? byDefault : permissions[explicit],
    grant_source: isAdmin ? "org_admin_override" : explicit === undefined ? "org_role_default" : "explicit",
  };
}

/** The answer to a change of a role. */
export function projectRoleResponse(controlPlane: ControlPlane, project: ProjectRow, member: MembershipRow): object {
  const { grant_source: _source, ...rest } = projectMemberResponse(controlPlane, project, member);
  return { project_id: project.id, ...rest, credential_rotation_recommended: true };
}

function getProjectMember({ tables }: ControlPlane, { org_id }: ProjectRow, id: string): MembershipRow {
  const found = org_id === undefined ? undefined : tables.memberships.get({ id, org_id });
  if (!found) throw notFound("member");
  return found;
}
