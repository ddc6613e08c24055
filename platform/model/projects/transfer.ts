import { randomUUID } from "node:crypto";

import { badRequest, HttpError, notFound, unprocessable } from "../../http-error";
import * as published from "../../published/requests";
import { hashOf } from "../../storage/hash";
import { pick } from "../../storage/timestamps";
import { getVisibleOrganization } from "../accounts/access";
import { revokeKeysOfProject } from "../accounts/api-key";
import type { Caller } from "../accounts/caller";
import { plans } from "../accounts/limits";
import { getOwner, newOwner, organizationAsOwner, type Owner, projectCount, userAsOwner } from "../accounts/owner";
import type { RowTable } from "../containment";
import type { ControlPlane } from "../control-plane";
import { accountKey, organizationAdmin, personalKey, projectOwner } from "../routing/authorization";
import { allow, type ApiPaths, noContent } from "../routing/route";
import type { ProjectRow } from "./project-row";

/** An offer of a project to everybody who knows the id of the request. */
export interface TransferRequestRow {
  /** The hash of the id. */
  id: string;
  project_id: string;
  created_at: string;
  expires_at: string;
}

export const transferRequestTable: RowTable<TransferRequestRow> = {
  name: "transfer_requests",
  within: "project",
  indexes: ["project_id"],
  latest: "created_at",
};

export const transferPaths: ApiPaths = {
  "/projects/:project_id/transfer_requests": {
    POST: allow(
      { ...projectOwner, status: 201, ...published.createProjectTransferRequest },
      ({ controlPlane, project, body }) =>
        pick(createTransferRequest(controlPlane, project, body.ttl_seconds), [
          "id",
          "project_id",
          "created_at",
          "expires_at",
        ]),
    ),
  },
  "/projects/:project_id/transfer_requests/:request_id": {
    PUT: allow(
      // The caller cannot see the project yet: knowing the id of the request is enough.
      { ...accountKey, ...published.acceptProjectTransferRequest },
      ({ controlPlane, caller, parameter, body }) => {
        const request = { projectId: parameter("project_id"), requestId: parameter("request_id") };
        acceptTransfer(controlPlane, caller, request, body.org_id);
        return noContent;
      },
    ),
  },
  "/organizations/:org_id/projects/transfer": {
    POST: allow(
      { ...organizationAdmin, ...published.transferProjectsFromOrgToOrg },
      ({ controlPlane, caller, organization, body }) => {
        transferProjects(controlPlane, caller, organizationAsOwner(organization), body);
        return {};
      },
    ),
  },
  "/users/me/projects/transfer": {
    POST: allow({ ...personalKey, ...published.transferProjectsFromUserToOrg }, ({ controlPlane, caller, body }) => {
      transferProjects(controlPlane, caller, userAsOwner(controlPlane, caller.user), body);
      return {};
    }),
  },
};

const defaultTtlSeconds = 86_400;

/** Creates a transfer request, which everybody who knows its id can accept. Only the returned row holds the id. */
function createTransferRequest(
  controlPlane: ControlPlane,
  project: ProjectRow,
  ttlSeconds = defaultTtlSeconds,
): TransferRequestRow {
  const createdAt = controlPlane.timestamps.next();
  const id = randomUUID();
  const row: TransferRequestRow = {
    id: hashOf(id),
    project_id: project.id,
    created_at: createdAt,
    expires_at: new Date(Date.parse(createdAt) + ttlSeconds * 1000).toISOString(),
  };
  controlPlane.tables.transferRequests.put(row);
  return { ...row, id };
}

/** Accepts a transfer request for an organization, or without one for the caller's account. */
function acceptTransfer(
  controlPlane: ControlPlane,
  caller: Caller,
  { projectId, requestId }: { projectId: string; requestId: string },
  organizationId: string | undefined,
): void {
  const { tables, clock } = controlPlane;
  const request = tables.transferRequests.get({ id: hashOf(requestId), project_id: projectId });
  const project = tables.projects.get({ id: projectId, deleted_at: null });
  if (!request || !project) throw notFound("transfer request");
  if (Date.parse(request.expires_at) <= clock.now()) throw unprocessable("the transfer request has expired");
  const to = newOwner(controlPlane, caller, organizationId);
  const from = getOwner(controlPlane, project);
  if (from.id === to.id) throw unprocessable("the project already belongs to this account");
  const reasons = unmetLimits(controlPlane, from, to, 1).map(({ name, expected, actual }) => ({
    code: name,
    message: `${name} is ${actual} but must be ${expected}`,
  }));
  if (reasons.length > 0) throw new HttpError(406, "the account cannot own the project", { body: { reasons } });
  transfer(controlPlane, project, to);
}

/** Transfers all these projects of a user or an organization to another organization, or none of them. */
function transferProjects(
  controlPlane: ControlPlane,
  caller: Caller,
  source: Owner,
  input: { destination_org_id: string; project_ids: readonly string[] },
): void {
  const destination = getVisibleOrganization(controlPlane, caller, input.destination_org_id);
  if (destination.id === source.id) throw badRequest("the projects already belong to destination_org_id");
  const projects = [...new Set(input.project_ids)].map((id) =>
    controlPlane.tables.projects.getOr404(`project ${id}`, { id, owner_id: source.id, deleted_at: null }),
  );
  const integrated = projects.flatMap(({ id, integrations = [] }) =>
    integrations.map((integration) => ({ id, integration })),
  );
  if (integrated.length > 0) {
    throw new HttpError(422, "projects with integrations cannot be transferred", { body: { projects: integrated } });
  }
  const to = organizationAsOwner(destination);
  const limits = unmetLimits(controlPlane, source, to, projects.length);
  if (limits.length > 0) throw new HttpError(406, "the organization cannot own the projects", { body: { limits } });
  for (const project of projects) transfer(controlPlane, project, to);
}

/** Changes the owner of a project, and revokes its project-scoped keys. */
function transfer(controlPlane: ControlPlane, project: ProjectRow, to: Owner): void {
  const { tables, timestamps } = controlPlane;
  tables.projects.put({
    ...project,
    org_id: to.organization?.id,
    owner_id: to.id,
    updated_at: timestamps.next(),
  });
  tables.transferRequests.delete({ project_id: project.id });
  tables.projectRoles.delete({ project_id: project.id });
  revokeKeysOfProject(controlPlane, project.id);
}

/** The limits of an account that prevent it from owning more projects. */
function unmetLimits(
  controlPlane: ControlPlane,
  from: Owner,
  to: Owner,
  count: number,
): { name: string; expected: string; actual: string }[] {
  const projects = projectCount(controlPlane, to) + count;
  return [
    ...(projects > to.projectsLimit
      ? [{ name: "projects_count", expected: String(to.projectsLimit), actual: String(projects) }]
      : []),
    ...(plans.indexOf(to.plan) < plans.indexOf(from.plan)
      ? [{ name: "subscription_type", expected: from.plan, actual: to.plan }]
      : []),
  ];
}
