import { notFound } from "../../http-error";
import type { ControlPlane } from "../control-plane";
import type { ProjectRole } from "../projects/project-role-row";
import type { ProjectRow } from "../projects/project-row";
import type { MemberRole } from "./membership-row";
import type { OrganizationRow } from "./organization-row";
import { accountIdOf, type Caller } from "./caller";

/** The role of a caller in an organization; `undefined` if the caller cannot see it. */
export function roleInOrganization({ tables }: ControlPlane, caller: Caller, id: string): MemberRole | undefined {
  if (caller.kind === "personal") return tables.memberships.get({ org_id: id, user_id: caller.user.id })?.role;
  if (caller.organization.id !== id) return undefined;
  return caller.kind === "organization" ? "admin" : "member";
}

/** The role of a caller in a project. A viewer may only read. */
export type ProjectAccess = MemberRole | "viewer";

const accessOf: Readonly<Record<ProjectRole, ProjectAccess>> = { viewer: "viewer", editor: "member", admin: "admin" };

/** The role of a caller in a project; `undefined` if the caller cannot see it. */
export function roleInProject(
  controlPlane: ControlPlane,
  caller: Caller,
  project: ProjectRow,
): ProjectAccess | undefined {
  if (caller.kind === "project") return project.id === caller.projectId ? "member" : undefined;
  if (project.owner_id === accountIdOf(caller)) return "admin";
  if (caller.kind === "organization") return undefined;
  const member = controlPlane.tables.memberships.get({ org_id: project.owner_id, user_id: caller.user.id });
  const explicit = member && controlPlane.tables.projectRoles.get({ project_id: project.id, member_id: member.id });
  if (member?.role === "member" && explicit) return accessOf[explicit.role];
  if (member) return member.role;
  const shared = { project_id: project.id, granted_to_email: caller.user.email, revoked_at: null };
  return controlPlane.tables.permissions.get(shared) && "member";
}

/**
 * An organization that a caller can see: the user is a member, or the key belongs to it.
 *
 * @throws HttpError 404
 */
export function getVisibleOrganization(controlPlane: ControlPlane, caller: Caller, id: string): OrganizationRow {
  if (roleInOrganization(controlPlane, caller, id) === undefined) throw notFound("organization");
  return controlPlane.tables.organizations.getOr404("organization", { id });
}
