import { unprocessable } from "../http-error";
import type { ControlPlane } from "./control-plane";
import { firstAdministrator } from "./organization";
import { type Plan, termsOf } from "./plan";
import type { OrganizationRow, ProjectRow, UserRow } from "./rows";
import { fullName, limits } from "./user";

/** Whose a project is: a user's own, or an organization's. */
export interface Owner {
  readonly id: string;
  readonly plan: Plan;
  readonly projectsLimit: number;
  readonly allowsHipaa: boolean;
  readonly organization?: OrganizationRow;
  readonly user?: UserRow;
}

/** A user as the owner of projects. */
export function userAsOwner(user: UserRow): Owner {
  return { id: user.id, plan: limits.plan, projectsLimit: termsOf[limits.plan].projects, allowsHipaa: false, user };
}

/** An organization as the owner of projects. */
export function organizationAsOwner(organization: OrganizationRow): Owner {
  const { id, plan, projects_limit: projectsLimit, allow_hipaa_projects: allowsHipaa } = organization;
  return { id, plan, projectsLimit, allowsHipaa, organization };
}

/** Who owns a project. */
export function ownerOf({ tables }: ControlPlane, project: ProjectRow): Owner {
  const organization = project.org_id === undefined ? undefined : tables.organizations.get({ id: project.org_id });
  if (organization) return organizationAsOwner(organization);
  const user = tables.users.get({ id: project.owner_id });
  if (!user) throw new Error(`project ${project.id} has no owner`);
  return userAsOwner(user);
}

/** How many projects somebody owns. */
export function projectCount({ tables }: ControlPlane, { id }: Owner): number {
  return tables.projects.count({ owner_id: id, deleted_at: null });
}

/** Refuses one more project to an owner who may not have it. */
export function requireRoomForProject(plane: ControlPlane, owner: Owner): void {
  if (projectCount(plane, owner) < owner.projectsLimit) return;
  throw unprocessable(`the limit of ${owner.projectsLimit} projects is reached`, "PROJECTS_LIMIT_EXCEEDED");
}

/** An owner as the answer to get a project tells; for an organization that is its first administrator's address. */
export function ownerAnswer(plane: ControlPlane, { plan, organization, user }: Owner): object {
  const person = user ?? (organization && firstAdministrator(plane, organization.id));
  return {
    email: person?.email ?? "",
    name: organization?.name ?? (user ? fullName(user) : ""),
    branches_limit: limits.branches,
    subscription_type: termsOf[plan].subscriptionType,
  };
}
