import { accountKey, anyKey, deletedProjectOwner, projectMember, projectOwner } from "../model/routing/authorization";
import { allow, type ApiPaths } from "../model/routing/route";
import { authorOf, type Caller } from "../model/accounts/caller";
import { newOwner } from "../model/accounts/owner";
import { branchResponse, connectionUris } from "../model/branches/branch";
import { databaseResponse } from "../model/branches/database";
import { roleResponseWithPassword } from "../model/branches/role";
import { endpointResponse } from "../model/computes/endpoint";
import type { ControlPlane } from "../model/control-plane";
import { operationResponses } from "../model/operations/operation";
import { librariesFor } from "../model/projects/preload-library";
import {
  createProject,
  deleteProject,
  projectDetails,
  projectListItem,
  projectResponse,
  recoverProject,
  updateProject,
} from "../model/projects/project";
import * as published from "../published/requests";
import { projectPage, projectPageQuery, type ProjectSelection, sharedWith } from "./project-page";

const projectListQuery = published.listProjects.query.extend(projectPageQuery.shape);

export const projectPaths: ApiPaths = {
  "/projects": {
    GET: allow({ ...anyKey, query: projectListQuery }, ({ controlPlane, caller, query }) => {
      const selection = selectProjects(controlPlane, caller, query.org_id);
      const { projects, pagination } = projectPage(controlPlane, selection, query);
      const integrated = projects.filter(({ integrations = [] }) => integrations.length > 0);
      return {
        projects: projects.map((row) => projectListItem(controlPlane, row)),
        pagination,
        applications: {},
        integrations: Object.fromEntries(integrated.map(({ id, integrations }) => [id, integrations])),
      };
    }),
    POST: allow({ ...accountKey, status: 201, ...published.createProject }, ({ controlPlane, caller, body }) => {
      const owner = newOwner(controlPlane, caller, body.project.org_id);
      const created = createProject(controlPlane, owner, authorOf(caller), body.project);
      return {
        project: projectResponse(controlPlane, created.project),
        connection_uris: connectionUris(controlPlane, created),
        roles: created.roles.map(roleResponseWithPassword),
        databases: created.databases.map(databaseResponse),
        operations: operationResponses(controlPlane, created.operations),
        branch: { ...branchResponse(created.branch), created_by: undefined },
        endpoints: created.endpoints.map(endpointResponse),
      };
    }),
  },
  "/projects/shared": {
    GET: allow({ ...anyKey, query: projectPageQuery }, ({ controlPlane, caller, query }) => {
      // Projects are shared with users, not with organizations.
      if (caller.kind !== "personal") return { projects: [] };
      const { projects, pagination } = projectPage(controlPlane, sharedWith(caller.user), query);
      return { projects: projects.map((row) => projectListItem(controlPlane, row)), pagination };
    }),
  },
  "/projects/:project_id": {
    GET: allow(projectMember, ({ controlPlane, project }) => ({ project: projectDetails(controlPlane, project) })),
    PATCH: allow({ ...projectMember, ...published.updateProject }, ({ controlPlane, project, body }) => {
      const updated = updateProject(controlPlane, project, body.project);
      return {
        project: { ...projectResponse(controlPlane, updated.project), org_id: undefined },
        operations: operationResponses(controlPlane, updated.operations),
      };
    }),
    DELETE: allow(projectOwner, ({ controlPlane, project }) => {
      deleteProject(controlPlane, project);
      return { project: projectResponse(controlPlane, project) };
    }),
  },
  "/projects/:project_id/recover": {
    POST: allow(deletedProjectOwner, ({ controlPlane, project }) => {
      const recovered = recoverProject(controlPlane, project);
      return {
        project: { ...projectResponse(controlPlane, recovered.project), org_id: undefined },
        branches: recovered.branches.map(branchResponse),
      };
    }),
  },
  "/projects/:project_id/available_preload_libraries": {
    GET: allow(projectMember, ({ project }) => ({ libraries: librariesFor(project.pg_version) })),
  },
};

/** The projects that a key can list. A personal key lists the projects of an organization only if `org_id` names it. */
function selectProjects(
  controlPlane: ControlPlane,
  caller: Caller,
  organizationId: string | undefined,
): ProjectSelection {
  const owner = newOwner(controlPlane, caller, organizationId);
  return { where: caller.kind === "project" ? { id: caller.projectId } : { owner_id: owner.id } };
}
