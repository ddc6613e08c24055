import { z } from "zod";

import { branchCreateBody, branchUpdate } from "../../api/schemas/branch";
import type { ControlPlane } from "../control-plane";
import {
  annotationAnswer,
  branchAnswer,
  branchOf,
  connectionsTo,
  createBranch,
  deleteBranch,
  updateBranch,
  type BranchChange,
} from "../model/branch";
import { databaseAnswer } from "../model/database";
import { endpointAnswer } from "../model/endpoint";
import { operationAnswer } from "../model/operation";
import { roleWithPassword } from "../model/role";
import { flag } from "../query";
import { noContent, route } from "../route";
import { branchCount, branchPage, branchPageQuery } from "./branch-page";

const branches = "/projects/:project_id/branches";
const branch = `${branches}/:branch_id`;

export const branchRoutes = [
  route({
    method: "GET",
    path: branches,
    query: branchPageQuery,
    handle: ({ plane, project, query }) => {
      const { branches: found, pagination } = branchPage(plane, project().id, query);
      const annotated = found.filter(({ annotation }) => annotation !== null);
      return {
        branches: found.map(branchAnswer),
        annotations: Object.fromEntries(annotated.map((row) => [row.id, annotationAnswer(row)])),
        ...(pagination && { pagination }),
      };
    },
  }),
  route({
    method: "GET",
    path: `${branches}/count`,
    query: z.object({ search: z.string().default("") }),
    handle: ({ plane, project, query }) => ({ count: branchCount(plane, project().id, query.search) }),
  }),
  route({
    method: "POST",
    path: branches,
    status: 201,
    body: branchCreateBody,
    isBodyOptional: true,
    handle: ({ plane, caller, project, body }) => {
      const created = createBranch(plane, project(), caller.user, body);
      return {
        ...change(plane, created),
        endpoints: created.endpoints.map(endpointAnswer),
        roles: created.roles.map(roleWithPassword),
        databases: created.databases.map(databaseAnswer),
        connection_uris: connectionsTo(created),
      };
    },
  }),
  route({
    method: "GET",
    path: branch,
    handle: ({ plane, project, parameter }) => {
      const found = branchOf(plane, project().id, parameter("branch_id"));
      return { branch: branchAnswer(found), annotation: annotationAnswer(found) };
    },
  }),
  route({
    method: "PATCH",
    path: branch,
    body: z.object({ branch: branchUpdate }),
    handle: ({ plane, project, parameter, body }) =>
      change(plane, updateBranch(plane, branchOf(plane, project().id, parameter("branch_id")), body.branch)),
  }),
  route({
    method: "DELETE",
    path: branch,
    query: z.object({ hard_delete: flag.default(false) }),
    handle: ({ plane, project, parameter, query }) => {
      const where = { id: parameter("branch_id"), project_id: project().id, deleted_at: null };
      const present = plane.tables.branches.get(where);
      if (!present) return noContent;
      return change(plane, deleteBranch(plane, present, { method: "user", hard: query.hard_delete }));
    },
  }),
];

function change(plane: ControlPlane, { branch: changed, operations }: BranchChange): object {
  return {
    branch: branchAnswer(changed),
    operations: operations.map((operation) => operationAnswer(plane, operation)),
  };
}
