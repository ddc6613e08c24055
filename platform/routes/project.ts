import { z } from "zod";

import { projectCreate, projectUpdate } from "../../api/schemas/project";
import { platformId } from "../../api/schemas/wire";
import { accountKey, anyKey, inProject, ownsDeletedProject, ownsProject } from "../http/authorization";
import { flag, wholeNumber } from "../http/query";
import { route } from "../http/route";
import { branchAnswer, connectionsTo } from "../model/branch";
import { authorOf, type Caller } from "../model/caller";
import type { ControlPlane } from "../model/control-plane";
import { databaseAnswer } from "../model/database";
import { endpointAnswer } from "../model/endpoint";
import { operationAnswer } from "../model/operation";
import { visibleOrganization } from "../model/organization";
import { organizationAsOwner, type Owner, userAsOwner } from "../model/owner";
import { preloadLibraries } from "../model/preload-library";
import {
  createProject,
  deleteProject,
  projectAnswer,
  projectEntry,
  recoverProject,
  updateProject,
} from "../model/project";
import { roleWithPassword } from "../model/role";
import { projectPage, type ProjectSelection, sharedWith } from "./project-page";

const project = "/projects/:project_id";
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
    scope: anyKey,
    query: z.object({ ...pageQuery, org_id: platformId.optional(), recoverable: flag.default(false) }),
    handle: ({ plane, caller, query }) => {
      const { projects, cursor } = projectPage(plane, projectsOf(plane, caller, query.org_id), query);
      const integrated = projects.filter(({ integrations = [] }) => integrations.length > 0);
      return {
        projects: projects.map((row) => projectEntry(plane, row)),
        ...(cursor !== undefined && { pagination: { cursor } }),
        applications: {},
        integrations: Object.fromEntries(integrated.map(({ id, integrations }) => [id, integrations])),
      };
    },
  }),
  route({
    method: "GET",
    path: "/projects/shared",
    scope: anyKey,
    query: z.object(pageQuery),
    handle: ({ plane, caller, query }) => {
      // A key that is not a user's own has no account that anything could be shared with.
      if (caller.kind !== "personal") return { projects: [] };
      const { projects, cursor } = projectPage(plane, sharedWith(caller.user), { ...query, recoverable: false });
      return {
        projects: projects.map((row) => projectEntry(plane, row)),
        ...(cursor !== undefined && { pagination: { cursor } }),
      };
    },
  }),
  route({
    method: "POST",
    path: "/projects",
    scope: accountKey,
    status: 201,
    body: z.object({ project: projectCreate }),
    handle: ({ plane, caller, body }) => {
      const owner = newOwner(plane, caller, body.project.org_id);
      const created = createProject(plane, owner, authorOf(caller), body.project);
      return {
        project: projectAnswer(plane, created.project),
        connection_uris: connectionsTo(created),
        roles: created.roles.map(roleWithPassword),
        databases: created.databases.map(databaseAnswer),
        operations: created.operations.map((operation) => operationAnswer(plane, operation)),
        branch: branchAnswer(created.branch),
        endpoints: created.endpoints.map(endpointAnswer),
      };
    },
  }),
  route({
    method: "GET",
    path: project,
    scope: inProject,
    handle: ({ plane, project: find }) => ({ project: projectAnswer(plane, find()) }),
  }),
  route({
    method: "PATCH",
    path: project,
    scope: inProject,
    body: z.object({ project: projectUpdate }),
    handle: ({ plane, project: find, body }) => {
      const changed = updateProject(plane, find(), body.project);
      return {
        project: projectAnswer(plane, changed.project),
        operations: changed.operations.map((operation) => operationAnswer(plane, operation)),
      };
    },
  }),
  route({
    method: "DELETE",
    path: project,
    scope: ownsProject,
    handle: ({ plane, project: find }) => ({ project: projectAnswer(plane, deleteProject(plane, find())) }),
  }),
  route({
    method: "POST",
    path: `${project}/recover`,
    scope: ownsDeletedProject,
    handle: ({ plane, project: find }) => {
      const recovered = recoverProject(plane, find());
      return {
        project: projectAnswer(plane, recovered.project),
        branches: recovered.branches.map(branchAnswer),
      };
    },
  }),
  route({
    method: "GET",
    path: `${project}/available_preload_libraries`,
    scope: inProject,
    handle: ({ project: find }) => ({ libraries: preloadLibraries(find().pg_version) }),
  }),
];

/** Which projects a key lists: an organization's are a user's to see only when the organization is named. */
function projectsOf(plane: ControlPlane, caller: Caller, organizationId: string | undefined): ProjectSelection {
  const named = organizationId === undefined ? undefined : visibleOrganization(plane, caller, organizationId);
  switch (caller.kind) {
    case "personal":
      return { where: { owner_id: named?.id ?? caller.user.id } };
    case "organization":
      return { where: { owner_id: caller.organization.id } };
    case "project":
      return { where: { id: caller.projectId } };
    default:
      return caller satisfies never;
  }
}

/** Whose a new project is. */
function newOwner(plane: ControlPlane, caller: Caller, organizationId: string | undefined): Owner {
  if (organizationId !== undefined) return organizationAsOwner(visibleOrganization(plane, caller, organizationId));
  return caller.kind === "personal" ? userAsOwner(caller.user) : organizationAsOwner(caller.organization);
}
