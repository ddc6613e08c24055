import { z } from "zod";

import { projectCreate, projectUpdate } from "../../api/schemas/project";
import { platformId } from "../../api/schemas/wire";
import { accountKey, anyKey, deletedProjectOwner, projectMember, projectOwner } from "../http/authorization";
import { route } from "../http/route";
import { flag, wholeNumber } from "../http/validation";
import { getVisibleOrganization } from "../model/accounts/access";
import { authorOf, type Caller } from "../model/accounts/caller";
import { newOwner } from "../model/accounts/owner";
import { branchResponse, connectionUris } from "../model/branches/branch";
import { databaseResponse } from "../model/branches/database";
import { roleResponseWithPassword } from "../model/branches/role";
import { endpointResponse } from "../model/computes/endpoint";
import type { ControlPlane } from "../model/control-plane";
import { operationResponses } from "../model/operations/operation";
import { preloadLibraries } from "../model/projects/preload-library";
import {
  createProject,
  deleteProject,
  projectListItem,
  projectResponse,
  recoverProject,
  updateProject,
} from "../model/projects/project";
import { projectPage, type ProjectSelection, sharedWith } from "./project-page";

const projectPath = "/projects/:project_id";
const pageQuery = {
  cursor: z.string().optional(),
  limit: wholeNumber(1, 400).default(10),
  search: z.string().optional(),
  timeout: wholeNumber(100, 30_000).optional(),
};

export const projectRoutes = [
  route({
    method: "GET",
    path: "/projects",
    authorization: anyKey,
    query: z.object({ ...pageQuery, org_id: platformId.optional(), recoverable: flag.default(false) }),
    handle: ({ controlPlane, caller, query }) => {
      const { projects, cursor } = projectPage(controlPlane, selectProjects(controlPlane, caller, query.org_id), query);
      const integrated = projects.filter(({ integrations = [] }) => integrations.length > 0);
      return {
        projects: projects.map((row) => projectListItem(controlPlane, row)),
        ...(cursor !== undefined && { pagination: { cursor } }),
        applications: {},
        integrations: Object.fromEntries(integrated.map(({ id, integrations }) => [id, integrations])),
      };
    },
  }),
  route({
    method: "GET",
    path: "/projects/shared",
    authorization: anyKey,
    query: z.object(pageQuery),
    handle: ({ controlPlane, caller, query }) => {
      // Projects are shared with users, not with organizations.
      if (caller.kind !== "personal") return { projects: [] };
      const { projects, cursor } = projectPage(controlPlane, sharedWith(caller.user), { ...query, recoverable: false });
      return {
        projects: projects.map((row) => projectListItem(controlPlane, row)),
        ...(cursor !== undefined && { pagination: { cursor } }),
      };
    },
  }),
  route({
    method: "POST",
    path: "/projects",
    authorization: accountKey,
    status: 201,
    body: z.object({ project: projectCreate }),
    handle: ({ controlPlane, caller, body }) => {
      const owner = newOwner(controlPlane, caller, body.project.org_id);
      const created = createProject(controlPlane, owner, authorOf(caller), body.project);
      return {
        project: projectResponse(controlPlane, created.project),
        connection_uris: connectionUris(created),
        roles: created.roles.map(roleResponseWithPassword),
        databases: created.databases.map(databaseResponse),
        operations: operationResponses(controlPlane, created.operations),
        branch: branchResponse(created.branch),
        endpoints: created.endpoints.map(endpointResponse),
      };
    },
  }),
  route({
    method: "GET",
    path: projectPath,
    authorization: projectMember,
    handle: ({ controlPlane, project }) => ({ project: projectResponse(controlPlane, project) }),
  }),
  route({
    method: "PATCH",
    path: projectPath,
    authorization: projectMember,
    body: z.object({ project: projectUpdate }),
    handle: ({ controlPlane, project, body }) => {
      const updated = updateProject(controlPlane, project, body.project);
      return {
        project: projectResponse(controlPlane, updated.project),
        operations: operationResponses(controlPlane, updated.operations),
      };
    },
  }),
  route({
    method: "DELETE",
    path: projectPath,
    authorization: projectOwner,
    handle: ({ controlPlane, project }) => ({
      project: projectResponse(controlPlane, deleteProject(controlPlane, project)),
    }),
  }),
  route({
    method: "POST",
    path: `${projectPath}/recover`,
    authorization: deletedProjectOwner,
    handle: ({ controlPlane, project }) => {
      const recovered = recoverProject(controlPlane, project);
      return {
        project: projectResponse(controlPlane, recovered.project),
        branches: recovered.branches.map(branchResponse),
      };
    },
  }),
  route({
    method: "GET",
    path: `${projectPath}/available_preload_libraries`,
    authorization: projectMember,
    handle: ({ project }) => ({ libraries: preloadLibraries(project.pg_version) }),
  }),
];

/** The projects that a key lists. A personal key lists those of an organization only if `org_id` names it. */
function selectProjects(
  controlPlane: ControlPlane,
  caller: Caller,
  organizationId: string | undefined,
): ProjectSelection {
  const organization =
    organizationId === undefined ? undefined : getVisibleOrganization(controlPlane, caller, organizationId);
  switch (caller.kind) {
    case "personal":
      return { where: { owner_id: organization?.id ?? caller.user.id } };
    case "organization":
      return { where: { owner_id: caller.organization.id } };
    case "project":
      return { where: { id: caller.projectId } };
    default:
      return caller satisfies never;
  }
}
