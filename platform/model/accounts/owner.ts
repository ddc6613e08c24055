import type { ControlPlane } from "../control-plane";
import type { ProjectRow } from "../projects/project-row";
import type { OrganizationRow } from "./organization-row";
import type { UserRow } from "./user-row";
import { getVisibleOrganization } from "./access";
import type { Caller } from "./caller";
import { unprocessable } from "../../http-error";
import type { Answer, vendor } from "../../published/answers";
import { type Plan, type PlanLimits, planLimits } from "./limits";
import { firstAdministrator, requireOnlyOrganization } from "./organization";
import { fullName } from "./user";

/** The owner of a project: a user or an organization. */
export interface Owner {
  readonly id: string;
  readonly plan: Plan;
  readonly projectsLimit: number;
  readonly allowsHipaa: boolean;
  readonly organization?: OrganizationRow;
  readonly user?: UserRow;
}

export function userAsOwner({ plan }: ControlPlane, user: UserRow): Owner {
  return { id: user.id, plan, projectsLimit: planLimits[plan].projects, allowsHipaa: false, user };
}

export function organizationAsOwner(organization: OrganizationRow): Owner {
  const { id, plan, projects_limit: projectsLimit, allow_hipaa_projects: allowsHipaa } = organization;
  return { id, plan, projectsLimit, allowsHipaa, organization };
}

export function getOwner(controlPlane: ControlPlane, project: ProjectRow): Owner {
  const { tables } = controlPlane;
  const organization = project.org_id === undefined ? undefined : tables.organizations.get({ id: project.org_id });
  if (organization) return organizationAsOwner(organization);
  return userAsOwner(controlPlane, tables.users.getOr404("owner", { id: project.owner_id }));
}

export function limitsOf(controlPlane: ControlPlane, project: ProjectRow): PlanLimits {
  return planLimits[getOwner(controlPlane, project).plan];
}

/**
 * The owner of a project that a caller creates or takes over: the organization in the request, or the caller's account.
 *
 * @throws HttpError 404 if the caller cannot see the organization, 400 if the request must name an organization
 */
export function newOwner(controlPlane: ControlPlane, caller: Caller, organizationId: string | undefined): Owner {
  if (organizationId !== undefined) {
    return organizationAsOwner(getVisibleOrganization(controlPlane, caller, organizationId));
  }
  if (caller.kind !== "personal") return organizationAsOwner(caller.organization);
  return controlPlane.organizationAccounts
    ? organizationAsOwner(requireOnlyOrganization(controlPlane, caller))
    : userAsOwner(controlPlane, caller.user);
}

export function projectCount({ tables }: ControlPlane, { id }: Owner): number {
  return tables.projects.count({ owner_id: id, deleted_at: null });
}

/** @throws HttpError 422 if an owner has reached the limit of projects */
export function checkProjectLimit(controlPlane: ControlPlane, owner: Owner): void {
  const count = projectCount(controlPlane, owner);
  if (count < owner.projectsLimit) return;
  throw unprocessable(
    `user projects limit of ${owner.projectsLimit} exceeded, got ${count}`,
    "PROJECTS_LIMIT_EXCEEDED",
  );
}

/** The owner of a project as the API returns it. An organization has the email address of its first administrator. */
export function ownerResponse(controlPlane: ControlPlane, { plan, organization, user }: Owner) {
  const person = user ?? (organization && firstAdministrator(controlPlane, organization.id));
  return {
    email: person?.email ?? "",
    name: organization?.name ?? (user ? fullName(user) : ""),
    branches_limit: planLimits[plan].branches,
    subscription_type: planLimits[plan].subscriptionType,
  } satisfies Answer<vendor.ProjectOwnerData>;
}
