import { notFound } from "../../http-error";
import type { ControlPlane } from "../control-plane";
import { hasPermission } from "../projects/project-permission";
import type { MemberRole, OrganizationRow, ProjectRow } from "../rows";
import type { Caller } from "./caller";

/** The role of a caller in an organization; `undefined` if the caller cannot see it. */
export function roleInOrganization(
  { tables }: ControlPlane,
  caller: Caller,
  organization: OrganizationRow,
): MemberRole | undefined {
  if (caller.kind === "personal") {
    return tables.memberships.get({ org_id: organization.id, user_id: caller.user.id })?.role;
  }
  if (caller.organization.id !== organization.id) return undefined;
  return caller.kind === "organization" ? "admin" : "member";
}

/** The role of a caller in a project; `undefined` if the caller cannot see it. */
export function roleInProject(controlPlane: ControlPlane, caller: Caller, project: ProjectRow): MemberRole | undefined {
  switch (caller.kind) {
    case "personal": {
      if (project.owner_id === caller.user.id) return "admin";
      const organization =
        project.org_id === undefined ? undefined : controlPlane.tables.organizations.get({ id: project.org_id });
      const role = organization && roleInOrganization(controlPlane, caller, organization);
      return role ?? (hasPermission(controlPlane, project.id, caller.user) ? "member" : undefined);
    }
    case "organization":
      return project.org_id === caller.organization.id ? "admin" : undefined;
    case "project":
      return project.id === caller.projectId ? "member" : undefined;
    default:
      return caller satisfies never;
  }
}

/**
 * An organization that a caller can see: the user is a member, or the key belongs to it.
 *
 * @throws HttpError 404
 */
export function getVisibleOrganization(controlPlane: ControlPlane, caller: Caller, id: string): OrganizationRow {
  const organization = controlPlane.tables.organizations.get({ id });
  if (!organization || roleInOrganization(controlPlane, caller, organization) === undefined) {
    throw notFound("organization");
  }
  return organization;
}
