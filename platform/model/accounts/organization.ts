import { randomUUID } from "node:crypto";

import { badRequest, unprocessable } from "../../http-error";
import { newId } from "../../storage/ids";
import type { Answer, vendor } from "../../published/answers";
import { pick } from "../../storage/timestamps";
import type { ControlPlane } from "../control-plane";
import { type MemberRole, type MembershipRow } from "./membership-row";
import { type OrganizationRow } from "./organization-row";
import type { UserRow } from "./user-row";
import type { Caller } from "./caller";
import { type Plan, planLimits } from "./limits";
import { getOrCreateUser } from "./user";

interface OrganizationInput {
  readonly name: string;
  readonly plan?: Plan | undefined;
  readonly projects_limit?: number | undefined;
  readonly allow_hipaa_projects?: boolean | undefined;
}

/** Creates an organization with its first administrator. */
export function createOrganization(
  controlPlane: ControlPlane,
  { name, plan = controlPlane.plan, projects_limit, allow_hipaa_projects: allowsHipaa = false }: OrganizationInput,
  administrator: UserRow,
): OrganizationRow {
  const id = newId.organization();
  const organization: OrganizationRow = {
    id,
    name,
    handle: `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}-${id}`,
    plan,
    projects_limit: projects_limit ?? planLimits[plan].projects,
    allow_hipaa_projects: allowsHipaa,
    ...controlPlane.timestamps.created(),
  };
  controlPlane.tables.organizations.put(organization);
  setMember(controlPlane, organization, administrator, "admin");
  return organization;
}

/**
 * The first organization, which every platform has. The first user is its administrator. It allows HIPAA projects if it owns all
 * projects of its members.
 */
export function getOrCreateFirstOrganization(controlPlane: ControlPlane): OrganizationRow {
  const [found] = controlPlane.tables.organizations.list({}, "ORDER BY created_at LIMIT 1");
  if (found) return found;
  const input = { name: "Local organization", allow_hipaa_projects: controlPlane.organizationAccounts };
  return createOrganization(controlPlane, input, getOrCreateUser(controlPlane));
}

/** The organizations of a user, or the organization that owns the key. */
export function listCallerOrganizations({ tables }: ControlPlane, caller: Caller): OrganizationRow[] {
  if (caller.kind !== "personal") return [caller.organization];
  return tables.memberships
    .list({ user_id: caller.user.id }, "ORDER BY joined_at")
    .flatMap(({ org_id: id }) => tables.organizations.get({ id }) ?? []);
}

/**
 * The only organization of a user.
 *
 * @throws HttpError 400 if the user has several organizations, or none
 */
export function requireOnlyOrganization(controlPlane: ControlPlane, caller: Caller): OrganizationRow {
  const [organization, another] = listCallerOrganizations(controlPlane, caller);
  if (organization && !another) return organization;
  throw badRequest("org_id is required, you can find it on your organization settings page");
}

/** Adds a member, or changes the role of one. */
export function setMember(
  controlPlane: ControlPlane,
  organization: OrganizationRow,
  user: UserRow,
  role: MemberRole,
): MembershipRow {
  const existing = controlPlane.tables.memberships.get({ org_id: organization.id, user_id: user.id });
  if (existing?.role === "admin" && role !== "admin") requireAnotherAdministrator(controlPlane, existing);
  const membership: MembershipRow = {
    id: existing?.id ?? randomUUID(),
    org_id: organization.id,
    user_id: user.id,
    role,
    joined_at: existing?.joined_at ?? controlPlane.timestamps.next(),
  };
  controlPlane.tables.memberships.put(membership);
  return membership;
}

/** Removes a member. From the next request on, the user's keys no longer see the organization. */
export function removeMember(controlPlane: ControlPlane, organization: OrganizationRow, user: UserRow): MembershipRow {
  const { memberships } = controlPlane.tables;
  const existing = memberships.getOr404("member", { org_id: organization.id, user_id: user.id });
  if (existing.role === "admin") requireAnotherAdministrator(controlPlane, existing);
  memberships.remove(existing);
  controlPlane.tables.projectRoles.delete({ member_id: existing.id });
  return existing;
}

/** Finds a member by the id of the membership, which is not the id of the user. */
export function getMember({ tables }: ControlPlane, organization: OrganizationRow, id: string): MembershipRow {
  return tables.memberships.getOr404("member", { id, org_id: organization.id });
}

export function updateMember(
  controlPlane: ControlPlane,
  organization: OrganizationRow,
  id: string,
  role: string,
): MembershipRow {
  const { user_id } = getMember(controlPlane, organization, id);
  const user = controlPlane.tables.users.getOr404("user", { id: user_id });
  return setMember(controlPlane, organization, user, parseRole(role));
}

/**
 * Accepts the roles that the local platform has. The API has other roles too, and says that they may not be available.
 *
 * @throws HttpError 422
 */
export function parseRole(role: string): MemberRole {
  if (role === "admin" || role === "member") return role;
  throw unprocessable(`the role "${role}" is not available for this organization`);
}

/** The members of an organization in the order in which they joined. */
export function listMembers({ tables }: ControlPlane, organizationId: string): MembershipRow[] {
  return tables.memberships.list({ org_id: organizationId }, "ORDER BY joined_at");
}

/** The administrator who joined first. */
export function firstAdministrator({ tables }: ControlPlane, organizationId: string): UserRow | undefined {
  const [found] = tables.memberships.list({ org_id: organizationId, role: "admin" }, "ORDER BY joined_at LIMIT 1");
  return found && tables.users.get({ id: found.user_id });
}

export function organizationResponse(row: OrganizationRow) {
  return {
    ...pick(row, ["id", "name", "handle", "plan", "allow_hipaa_projects", "created_at", "updated_at"]),
    managed_by: "console",
    require_mfa: false,
  } satisfies Answer<vendor.Organization>;
}

export function memberResponse({ tables }: ControlPlane, membership: MembershipRow) {
  return {
    member: membershipResponse(membership),
    user: { email: tables.users.get({ id: membership.user_id })?.email ?? "" },
  } satisfies Answer<vendor.MemberWithUser>;
}

export function membershipResponse(
  row: MembershipRow,
): Pick<MembershipRow, "id" | "org_id" | "user_id" | "role" | "joined_at"> {
  return pick(row, ["id", "org_id", "user_id", "role", "joined_at"]);
}

/** Keeps one administrator: an organization without an administrator could never create a key again. */
function requireAnotherAdministrator({ tables }: ControlPlane, { org_id }: MembershipRow): void {
  if (tables.memberships.count({ org_id, role: "admin" }) > 1) return;
  throw unprocessable("the last administrator of an organization can be neither removed nor demoted");
}
