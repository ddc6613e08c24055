import { z } from "zod";

import {
  branchCreateBody,
  branchFinalize,
  branchRestore,
  branchSchemaQuery,
  branchUpdate,
  schemaComparisonQuery,
} from "../../api/schemas/branch";
import { projectMember } from "../http/authorization";
import { alreadyDeleted, route } from "../http/route";
import { flag } from "../http/validation";
import { authorOf } from "../model/accounts/caller";
import {
  annotationResponse,
  type BranchChange,
  branchResponse,
  connectionUris,
  createBranch,
  deleteBranch,
  getBranch,
  recoverBranch,
  setAsDefault,
  updateBranch,
} from "../model/branches/branch";
import { schemaComparisonResponse, schemaResponse } from "../model/branches/branch-schema";
import { databaseResponse } from "../model/branches/database";
import { finalizeRestore, restoreBranch } from "../model/branches/restore";
import { roleResponseWithPassword } from "../model/branches/role";
import { endpointResponse } from "../model/computes/endpoint";
import type { ControlPlane } from "../model/control-plane";
import { operationResponses } from "../model/operations/operation";
import { branchCount, branchPage, branchPageQuery } from "./branch-page";

const branchesPath = "/projects/:project_id/branches";
const branchPath = `${branchesPath}/:branch_id`;

export const branchRoutes = [
  route({
    method: "GET",
    path: branchesPath,
    authorization: projectMember,
    query: branchPageQuery,
    handle: ({ controlPlane, project, query }) => {
      const { branches, pagination } = branchPage(controlPlane, project.id, query);
      const annotated = branches.filter(({ annotation }) => annotation !== null);
      return {
        branches: branches.map(branchResponse),
        annotations: Object.fromEntries(annotated.map((branch) => [branch.id, annotationResponse(branch)])),
        ...(pagination && { pagination }),
      };
    },
  }),
  route({
    method: "GET",
    path: `${branchesPath}/count`,
    authorization: projectMember,
    query: z.object({ search: z.string().default("") }),
    handle: ({ controlPlane, project, query }) => ({ count: branchCount(controlPlane, project.id, query.search) }),
  }),
  route({
    method: "POST",
    path: branchesPath,
    authorization: projectMember,
    status: 201,
    body: branchCreateBody,
    isBodyOptional: true,
    handle: ({ controlPlane, caller, project, body }) => {
      const created = createBranch(controlPlane, project, authorOf(caller), body);
      return {
        ...changeResponse(controlPlane, created),
        endpoints: created.endpoints.map(endpointResponse),
        roles: created.roles.map(roleResponseWithPassword),
        databases: created.databases.map(databaseResponse),
        connection_uris: connectionUris(created),
      };
    },
  }),
  route({
    method: "GET",
    path: branchPath,
    authorization: projectMember,
    handle: ({ controlPlane, project, parameter }) => {
      const branch = getBranch(controlPlane, project.id, parameter("branch_id"));
      return { branch: branchResponse(branch), annotation: annotationResponse(branch) };
    },
  }),
  route({
    method: "PATCH",
    path: branchPath,
    authorization: projectMember,
    body: z.object({ branch: branchUpdate }),
    handle: ({ controlPlane, project, parameter, body }) => {
      const branch = getBranch(controlPlane, project.id, parameter("branch_id"));
      return changeResponse(controlPlane, updateBranch(controlPlane, branch, body.branch));
    },
  }),
  route({
    method: "DELETE",
    path: branchPath,
    authorization: projectMember,
    query: z.object({ hard_delete: flag.default(false) }),
    handle: ({ controlPlane, project, parameter, query }) => {
      const id = parameter("branch_id");
      const branch = controlPlane.tables.branches.get({ id, project_id: project.id, deleted_at: null });
      if (!branch) return alreadyDeleted("branch", id);
      return changeResponse(
        controlPlane,
        deleteBranch(controlPlane, branch, { method: "user", hard: query.hard_delete }),
      );
    },
  }),
  route({
    method: "POST",
    path: `${branchPath}/restore`,
    authorization: projectMember,
    body: branchRestore,
    handle: ({ controlPlane, caller, project, parameter, body }) => {
      const branch = getBranch(controlPlane, project.id, parameter("branch_id"));
      return changeResponse(controlPlane, restoreBranch(controlPlane, project, authorOf(caller), branch, body));
    },
  }),
  route({
    method: "POST",
    path: `${branchPath}/set_as_default`,
    authorization: projectMember,
    handle: ({ controlPlane, project, parameter }) => {
      const branch = getBranch(controlPlane, project.id, parameter("branch_id"));
      return changeResponse(controlPlane, setAsDefault(controlPlane, branch));
    },
  }),
  route({
    method: "POST",
    path: `${branchPath}/recover`,
    authorization: projectMember,
    handle: ({ controlPlane, project, parameter }) => {
      const { branch, endpoints } = recoverBranch(controlPlane, project.id, parameter("branch_id"));
      return { branch: branchResponse(branch), endpoints: endpoints.map(endpointResponse) };
    },
  }),
  route({
    method: "POST",
    path: `${branchPath}/finalize_restore`,
    authorization: projectMember,
    body: branchFinalize,
    isBodyOptional: true,
    handle: ({ controlPlane, project, parameter, body }) => {
      const branch = getBranch(controlPlane, project.id, parameter("branch_id"));
      return { operations: operationResponses(controlPlane, finalizeRestore(controlPlane, branch, body.name)) };
    },
  }),
  route({
    method: "GET",
    path: `${branchPath}/schema`,
    authorization: projectMember,
    query: branchSchemaQuery,
    handle: ({ controlPlane, project, parameter, query }) => {
      const branch = getBranch(controlPlane, project.id, parameter("branch_id"));
      return schemaResponse(controlPlane, project, branch, query);
    },
  }),
  route({
    method: "GET",
    path: `${branchPath}/compare_schema`,
    authorization: projectMember,
    query: schemaComparisonQuery,
    handle: ({ controlPlane, project, parameter, query }) => {
      const branch = getBranch(controlPlane, project.id, parameter("branch_id"));
      return schemaComparisonResponse(controlPlane, project, branch, query);
    },
  }),
];

function changeResponse(controlPlane: ControlPlane, { branch, operations }: BranchChange): object {
  return { branch: branchResponse(branch), operations: operationResponses(controlPlane, operations) };
}
