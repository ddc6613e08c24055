import { randomUUID } from "node:crypto";

import { badRequest, HttpError, notFound, unprocessable } from "../http-error";
import { hashOf } from "../storage/hash";
import { revokeKeysOfProject } from "./api-key";
import type { Caller } from "./caller";
import type { ControlPlane } from "./control-plane";
import { visibleOrganization } from "./organization";
import { organizationAsOwner, type Owner, ownerOf, projectCount, userAsOwner } from "./owner";
import { plans } from "./plan";
import type { OrganizationRow, ProjectRow, TransferRequestRow } from "./rows";

const defaultTtlSeconds = 86_400;

/** Offers a project to whoever is told the id of the offer; it is in the answer and nowhere else. */
export function requestTransfer(
  plane: ControlPlane,
  project: ProjectRow,
  ttlSeconds = defaultTtlSeconds,
): TransferRequestRow {
  const created = plane.stamps.next();
  const id = randomUUID();
  const row: TransferRequestRow = {
    id: hashOf(id),
    project_id: project.id,
    created_at: created,
    expires_at: new Date(Date.parse(created) + ttlSeconds * 1000).toISOString(),
  };
  plane.tables.transferRequests.put(row);
  return { ...row, id };
}

/** Takes over a project that was offered: for the organization that is named, or else for the caller's own account. */
export function acceptTransfer(
  plane: ControlPlane,
  caller: Caller,
  { projectId, requestId }: { projectId: string; requestId: string },
  organizationId: string | undefined,
): void {
  const { tables, clock } = plane;
  const request = tables.transferRequests.get({ id: hashOf(requestId), project_id: projectId });
  const project = tables.projects.get({ id: projectId, deleted_at: null });
  if (!request || !project) throw notFound("transfer request");
  if (Date.parse(request.expires_at) <= clock.now()) throw unprocessable("the transfer request has expired");
  const to = accountOf(plane, caller, organizationId);
  const from = ownerOf(plane, project);
  if (from.id === to.id) throw unprocessable("the project belongs to this account already");
  const reasons = unmetLimits(plane, from, to, 1).map(({ name, expected, actual }) => ({
    code: name,
    message: `${name} is ${actual} and would have to be ${expected}`,
  }));
  if (reasons.length > 0) throw new HttpError(406, "the account cannot own the project", "", {}, { reasons });
  transfer(plane, project, to);
}

/** Moves projects of an organization to another one, all of them or none. */
export function transferProjects(
  plane: ControlPlane,
  caller: Caller,
  source: OrganizationRow,
  asked: { destination_org_id: string; project_ids: readonly string[] },
): void {
  const destination = visibleOrganization(plane, caller, asked.destination_org_id);
  if (destination.id === source.id) throw badRequest("destination_org_id is the organization that has the projects");
  const projects = [...new Set(asked.project_ids)].map((id) => {
    const project = plane.tables.projects.get({ id, owner_id: source.id, deleted_at: null });
    if (!project) throw notFound(`project ${id}`);
    return project;
  });
  const integrated = projects.flatMap(({ id, integrations = [] }) =>
    integrations.map((integration) => ({ id, integration })),
  );
  if (integrated.length > 0) {
    throw new HttpError(422, "projects with integrations cannot be transferred", "", {}, { projects: integrated });
  }
  const to = organizationAsOwner(destination);
  const limits = unmetLimits(plane, organizationAsOwner(source), to, projects.length);
  if (limits.length > 0) throw new HttpError(406, "the organization cannot own the projects", "", {}, { limits });
  for (const project of projects) transfer(plane, project, to);
}

/** Gives a project another owner; what the old one's keys for it reach ends here. */
function transfer(plane: ControlPlane, project: ProjectRow, to: Owner): void {
  const { tables, stamps } = plane;
  const { org_id: _former, ...rest } = project;
  tables.projects.put({
    ...rest,
    ...(to.organization && { org_id: to.organization.id }),
    owner_id: to.id,
    updated_at: stamps.next(),
  });
  tables.transferRequests.remove({ project_id: project.id });
  revokeKeysOfProject(plane, project.id);
}

/** What of an account is not enough to own so many more projects. */
function unmetLimits(
  plane: ControlPlane,
  from: Owner,
  to: Owner,
  count: number,
): { name: string; expected: string; actual: string }[] {
  const projects = projectCount(plane, to) + count;
  return [
    ...(projects > to.projectsLimit
      ? [{ name: "projects_count", expected: String(to.projectsLimit), actual: String(projects) }]
      : []),
    ...(plans.indexOf(to.plan) < plans.indexOf(from.plan)
      ? [{ name: "subscription_type", expected: from.plan, actual: to.plan }]
      : []),
  ];
}

function accountOf(plane: ControlPlane, caller: Caller, organizationId: string | undefined): Owner {
  if (organizationId !== undefined) return organizationAsOwner(visibleOrganization(plane, caller, organizationId));
  return caller.kind === "personal" ? userAsOwner(caller.user) : organizationAsOwner(caller.organization);
}
