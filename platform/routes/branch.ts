import { z } from "zod";

import {
  branchCreateBody,
  branchFinalize,
  branchRestore,
  branchSchemaQuery,
  branchUpdate,
  schemaComparisonQuery,
} from "../../api/schemas/branch";
import { inProject } from "../http/authorization";
import { flag } from "../http/query";
import { absent, route } from "../http/route";
import {
  annotationAnswer,
  branchAnswer,
  type BranchChange,
  branchOf,
  connectionsTo,
  createBranch,
  deleteBranch,
  recoverBranch,
  setAsDefault,
  updateBranch,
} from "../model/branch";
import { schemaAnswer, schemaComparisonAnswer } from "../model/branch-schema";
import { authorOf } from "../model/caller";
import type { ControlPlane } from "../model/control-plane";
import { databaseAnswer } from "../model/database";
import { endpointAnswer } from "../model/endpoint";
import { operationAnswer } from "../model/operation";
import { finalizeRestore, restoreBranch } from "../model/restore";
import { roleWithPassword } from "../model/role";
import { branchCount, branchPage, branchPageQuery } from "./branch-page";

const branches = "/projects/:project_id/branches";
const branch = `${branches}/:branch_id`;

export const branchRoutes = [
  route({
    method: "GET",
    path: branches,
    scope: inProject,
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
    scope: inProject,
    query: z.object({ search: z.string().default("") }),
    handle: ({ plane, project, query }) => ({ count: branchCount(plane, project().id, query.search) }),
  }),
  route({
    method: "POST",
    path: branches,
    scope: inProject,
    status: 201,
    body: branchCreateBody,
    isBodyOptional: true,
    handle: ({ plane, caller, project, body }) => {
      const created = createBranch(plane, project(), authorOf(caller), body);
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
    scope: inProject,
    handle: ({ plane, project, parameter }) => {
      const found = branchOf(plane, project().id, parameter("branch_id"));
      return { branch: branchAnswer(found), annotation: annotationAnswer(found) };
    },
  }),
  route({
    method: "PATCH",
    path: branch,
    scope: inProject,
    body: z.object({ branch: branchUpdate }),
    handle: ({ plane, project, parameter, body }) =>
      change(plane, updateBranch(plane, branchOf(plane, project().id, parameter("branch_id")), body.branch)),
  }),
  route({
    method: "DELETE",
    path: branch,
    scope: inProject,
    query: z.object({ hard_delete: flag.default(false) }),
    handle: ({ plane, project, parameter, query }) => {
      const where = { id: parameter("branch_id"), project_id: project().id, deleted_at: null };
      const present = plane.tables.branches.get(where);
      if (!present) return absent("branch", parameter("branch_id"));
      return change(plane, deleteBranch(plane, present, { method: "user", hard: query.hard_delete }));
    },
  }),
  route({
    method: "POST",
    path: `${branch}/restore`,
    scope: inProject,
    body: branchRestore,
    handle: ({ plane, caller, project: find, parameter, body }) => {
      const project = find();
      const present = branchOf(plane, project.id, parameter("branch_id"));
      return change(plane, restoreBranch(plane, project, authorOf(caller), present, body));
    },
  }),
  route({
    method: "POST",
    path: `${branch}/set_as_default`,
    scope: inProject,
    handle: ({ plane, project, parameter }) =>
      change(plane, setAsDefault(plane, branchOf(plane, project().id, parameter("branch_id")))),
  }),
  route({
    method: "POST",
    path: `${branch}/recover`,
    scope: inProject,
    handle: ({ plane, project, parameter }) => {
      const recovered = recoverBranch(plane, project().id, parameter("branch_id"));
      return { branch: branchAnswer(recovered.branch), endpoints: recovered.endpoints.map(endpointAnswer) };
    },
  }),
  route({
    method: "POST",
    path: `${branch}/finalize_restore`,
    scope: inProject,
    body: branchFinalize,
    isBodyOptional: true,
    handle: ({ plane, project, parameter, body }) => {
      const present = branchOf(plane, project().id, parameter("branch_id"));
      const operations = finalizeRestore(plane, present, body.name);
      return { operations: operations.map((operation) => operationAnswer(plane, operation)) };
    },
  }),
  route({
    method: "GET",
    path: `${branch}/schema`,
    scope: inProject,
    query: branchSchemaQuery,
    handle: ({ plane, project: find, parameter, query }) => {
      const project = find();
      return schemaAnswer(plane, project, branchOf(plane, project.id, parameter("branch_id")), query);
    },
  }),
  route({
    method: "GET",
    path: `${branch}/compare_schema`,
    scope: inProject,
    query: schemaComparisonQuery,
    handle: ({ plane, project: find, parameter, query }) => {
      const project = find();
      return schemaComparisonAnswer(plane, project, branchOf(plane, project.id, parameter("branch_id")), query);
    },
  }),
];

function change(plane: ControlPlane, { branch: changed, operations }: BranchChange): object {
  return {
    branch: branchAnswer(changed),
    operations: operations.map((operation) => operationAnswer(plane, operation)),
  };
}
