import { randomUUID } from "node:crypto";

import { notFound, unprocessable } from "../http-error";
import { newId } from "../storage/ids";
import type { Caller } from "./caller";
import type { ControlPlane } from "./control-plane";
import { type Plan, termsOf } from "./plan";
import type { MemberRole, MembershipRow, OrganizationRow, UserRow } from "./rows";
import { firstUser, limits } from "./user";

/** What is asked of a new organization. */
interface NewOrganization {
  readonly name: string;
  readonly plan?: Plan | undefined;
  readonly projects_limit?: number | undefined;
  readonly allow_hipaa_projects?: boolean | undefined;
}

/** Makes an organization with its first administrator. */
export function createOrganization(
  plane: ControlPlane,
  { name, plan = limits.plan, projects_limit, allow_hipaa_projects: allowsHipaa = false }: NewOrganization,
  administrator: UserRow,
): OrganizationRow {
  const id = newId.organization();
  const stamp = plane.stamps.next();
  const organization: OrganizationRow = {
    id,
    name,
    handle: `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}-${id}`,
    plan,
    projects_limit: projects_limit ?? termsOf[plan].projects,
    allow_hipaa_projects: allowsHipaa,
    created_at: stamp,
    updated_at: stamp,
  };
  plane.tables.organizations.put(organization);
  setMember(plane, organization, administrator, "admin");
  return organization;
}

/** The organization that the user whose platform it is administers; made on a new data folder. */
export function firstOrganization(plane: ControlPlane): OrganizationRow {
  const [found] = plane.tables.organizations.list({}, "ORDER BY created_at LIMIT 1");
  return found ?? createOrganization(plane, { name: "Local organization" }, firstUser(plane));
}

/** The organizations of a caller: those of a user, or the one that owns the key. */
export function organizationsOf({ tables }: ControlPlane, caller: Caller): OrganizationRow[] {
  if (caller.kind !== "personal") return [caller.organization];
  return tables.memberships
    .list({ user_id: caller.user.id }, "ORDER BY joined_at")
    .flatMap(({ org_id: id }) => tables.organizations.get({ id }) ?? []);
}

/** What a caller may do in an organization, if it is visible. */
export function organizationLevel(
  plane: ControlPlane,
  caller: Caller,
  organization: OrganizationRow,
): MemberRole | undefined {
  if (caller.kind === "personal") return membershipOf(plane, organization.id, caller.user.id)?.role;
  if (caller.organization.id !== organization.id) return undefined;
  return caller.kind === "organization" ? "admin" : "member";
}

/** An organization that a caller sees: a member's, or the key's own. */
export function visibleOrganization(plane: ControlPlane, caller: Caller, id: string): OrganizationRow {
  const organization = plane.tables.organizations.get({ id });
  if (!organization || organizationLevel(plane, caller, organization) === undefined) throw notFound("organization");
  return organization;
}

/** Makes a user a member, or changes what a member may do. */
export function setMember(
  plane: ControlPlane,
  organization: OrganizationRow,
  user: UserRow,
  role: MemberRole,
): MembershipRow {
  const present = membershipOf(plane, organization.id, user.id);
  if (present?.role === "admin" && role !== "admin") requireAnotherAdministrator(plane, present);
  const membership: MembershipRow = {
    id: present?.id ?? randomUUID(),
    org_id: organization.id,
    user_id: user.id,
    role,
    joined_at: present?.joined_at ?? plane.stamps.next(),
  };
  plane.tables.memberships.put(membership);
  return membership;
}

/** Ends a membership; the user's keys reach nothing of the organization from the next request on. */
export function removeMember(plane: ControlPlane, organization: OrganizationRow, user: UserRow): MembershipRow {
  const present = membershipOf(plane, organization.id, user.id);
  if (!present) throw notFound("member");
  if (present.role === "admin") requireAnotherAdministrator(plane, present);
  plane.tables.memberships.remove({ id: present.id });
  return present;
}

/** The members of an organization, those who joined first at the front. */
export function membersOf({ tables }: ControlPlane, organizationId: string): MembershipRow[] {
  return tables.memberships.list({ org_id: organizationId }, "ORDER BY joined_at");
}

/** The administrator who joined first. */
export function firstAdministrator({ tables }: ControlPlane, organizationId: string): UserRow | undefined {
  const [found] = tables.memberships.list({ org_id: organizationId, role: "admin" }, "ORDER BY joined_at LIMIT 1");
  return found && tables.users.get({ id: found.user_id });
}

/** An organization as clients see it. */
export function organizationAnswer({ projects_limit: _limit, ...shown }: OrganizationRow): object {
  return { ...shown, managed_by: "console", require_mfa: false };
}

/** A member as lists tell it: with the address of the account. */
export function memberAnswer({ tables }: ControlPlane, membership: MembershipRow): object {
  return { member: membership, user: { email: tables.users.get({ id: membership.user_id })?.email ?? "" } };
}

function membershipOf({ tables }: ControlPlane, organizationId: string, userId: string): MembershipRow | undefined {
  return tables.memberships.get({ org_id: organizationId, user_id: userId });
}

/** An organization without an administrator could never have a key again. */
function requireAnotherAdministrator({ tables }: ControlPlane, { org_id }: MembershipRow): void {
  if (tables.memberships.count({ org_id, role: "admin" }) > 1) return;
  throw unprocessable("the last administrator of an organization can be neither removed nor demoted");
}
