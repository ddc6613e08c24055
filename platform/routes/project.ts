import { z } from "zod";

import { projectCreate, projectUpdate } from "../../api/schemas/project";
import { platformId } from "../../api/schemas/wire";
import { branchAnswer, connectionsTo } from "../model/branch";
import { databaseAnswer } from "../model/database";
import { endpointAnswer } from "../model/endpoint";
import { operationAnswer } from "../model/operation";
import {
  createProject,
  deleteProject,
  projectAnswer,
  projectEntry,
  recoverProject,
  updateProject,
} from "../model/project";
import { roleWithPassword } from "../model/role";
import { flag, wholeNumber } from "../query";
import { notFound } from "../refusal";
import { route } from "../route";
import { projectPage } from "./project-page";

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
    query: z.object({ ...pageQuery, org_id: platformId.optional(), recoverable: flag.default(false) }),
    handle: ({ plane, caller, query }) => {
      if (query.org_id !== undefined) throw notFound("organization");
      const { projects, cursor } = projectPage(plane, caller.user, query);
      return {
        projects: projects.map(projectEntry),
        ...(cursor !== undefined && { pagination: { cursor } }),
        applications: {},
        integrations: {},
      };
    },
  }),
  route({
    method: "GET",
    path: "/projects/shared",
    query: z.object(pageQuery),
    handle: () => ({ projects: [] }),
  }),
  route({
    method: "POST",
    path: "/projects",
    status: 201,
    body: z.object({ project: projectCreate }),
    handle: ({ plane, caller, body }) => {
      const created = createProject(plane, caller.user, body.project);
      return {
        project: projectAnswer(plane, created.project, caller.user),
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
    handle: ({ plane, caller, project: find }) => ({ project: projectAnswer(plane, find(), caller.user) }),
  }),
  route({
    method: "PATCH",
    path: project,
    body: z.object({ project: projectUpdate }),
    handle: ({ plane, caller, project: find, body }) => {
      const changed = updateProject(plane, find(), body.project);
      return {
        project: projectAnswer(plane, changed.project, caller.user),
        operations: changed.operations.map((operation) => operationAnswer(plane, operation)),
      };
    },
  }),
  route({
    method: "DELETE",
    path: project,
    handle: ({ plane, caller, project: find }) => ({
      project: projectAnswer(plane, deleteProject(plane, find()), caller.user),
    }),
  }),
  route({
    method: "POST",
    path: `${project}/recover`,
    handle: ({ plane, caller, parameter }) => {
      const recovered = recoverProject(plane, caller.user, parameter("project_id"));
      return {
        project: projectAnswer(plane, recovered.project, caller.user),
        branches: recovered.branches.map(branchAnswer),
      };
    },
  }),
];
