import { z } from "zod";

import { branchMember, projectMember } from "../model/routing/authorization";
import { allow, alreadyDeleted, type ApiPaths } from "../model/routing/route";
import { authorOf } from "../model/accounts/caller";
import {
  annotationResponse,
  branchResponse,
  createBranch,
  createdBranchResponse,
  deleteBranch,
  recoverBranch,
  setAsDefault,
  updateBranch,
} from "../model/branches/branch";
import { schemaComparisonResponse, schemaResponse } from "../model/branches/branch-schema";
import { finalizeRestore, restoreBranch } from "../model/branches/restore";
import { endpointResponse } from "../model/computes/endpoint";
import type { ControlPlane } from "../model/control-plane";
import { operationResponses, type Started } from "../model/operations/operation";
import type { BranchRow } from "../model/branches/branch-row";
import * as published from "../published/requests";
import { branchCount, branchPage, branchPageQuery } from "./branch-page";

const schemaQuery = published.getProjectBranchSchema.query.extend({ format: z.enum(["sql", "json"]).optional() });

export const branchPaths: ApiPaths = {
  "/projects/:project_id/branches": {
    GET: allow({ ...projectMember, query: branchPageQuery }, ({ controlPlane, project, query }) => {
      const { branches, pagination } = branchPage(controlPlane, project.id, query);
      const annotated = branches.filter(({ annotation }) => annotation !== null);
      return {
        branches: branches.map(branchResponse),
        annotations: Object.fromEntries(annotated.map((branch) => [branch.id, annotationResponse(branch)])),
        pagination,
      };
    }),
    POST: allow(
      { ...projectMember, status: 201, ...published.createProjectBranch },
      ({ controlPlane, caller, project, body }) => {
        return createdBranchResponse(controlPlane, createBranch(controlPlane, project, authorOf(caller), body));
      },
    ),
  },
  "/projects/:project_id/branches/count": {
    GET: allow({ ...projectMember, ...published.countProjectBranches }, ({ controlPlane, project, query }) => ({
      count: branchCount(controlPlane, project.id, query.search ?? ""),
    })),
  },
  "/projects/:project_id/branches/:branch_id": {
    GET: allow(branchMember, ({ branch }) => ({
      branch: branchResponse(branch),
      annotation: annotationResponse(branch),
    })),
    PATCH: allow({ ...branchMember, ...published.updateProjectBranch }, ({ controlPlane, project, branch, body }) =>
      changeResponse(controlPlane, updateBranch(controlPlane, project, branch, body.branch)),
    ),
    DELETE: allow(
      { ...projectMember, ...published.deleteProjectBranch },
      ({ controlPlane, project, parameter, query }) => {
        const id = parameter("branch_id");
        const branch = controlPlane.tables.branches.get({ id, project_id: project.id, deleted_at: null });
        if (!branch) return alreadyDeleted("branch", id);
        const options = { method: "user", hard: query.hard_delete } as const;
        return changeResponse(controlPlane, deleteBranch(controlPlane, branch, options));
      },
    ),
  },
  "/projects/:project_id/branches/:branch_id/restore": {
    POST: allow(
      { ...branchMember, ...published.restoreProjectBranch },
      ({ controlPlane, caller, project, branch, body }) =>
        changeResponse(controlPlane, restoreBranch(controlPlane, project, authorOf(caller), branch, body)),
    ),
  },
  "/projects/:project_id/branches/:branch_id/set_as_default": {
    POST: allow(branchMember, ({ controlPlane, branch }) =>
      changeResponse(controlPlane, setAsDefault(controlPlane, branch)),
    ),
  },
  "/projects/:project_id/branches/:branch_id/recover": {
    POST: allow(projectMember, ({ controlPlane, project, parameter }) => {
      const { branch, endpoints } = recoverBranch(controlPlane, project, parameter("branch_id"));
      return { branch: branchResponse(branch), endpoints: endpoints.map(endpointResponse) };
    }),
  },
  "/projects/:project_id/branches/:branch_id/finalize_restore": {
    POST: allow({ ...branchMember, ...published.finalizeRestoreBranch }, ({ controlPlane, branch, body }) => ({
      operations: operationResponses(controlPlane, finalizeRestore(controlPlane, branch, body.name)),
    })),
  },
  "/projects/:project_id/branches/:branch_id/schema": {
    GET: allow({ ...branchMember, query: schemaQuery }, ({ controlPlane, project, branch, query }) =>
      schemaResponse(controlPlane, project, branch, query),
    ),
  },
  "/projects/:project_id/branches/:branch_id/compare_schema": {
    GET: allow(
      { ...branchMember, ...published.getProjectBranchSchemaComparison },
      ({ controlPlane, project, branch, query }) => schemaComparisonResponse(controlPlane, project, branch, query),
    ),
  },
};

function changeResponse(controlPlane: ControlPlane, change: Started<{ branch: BranchRow }>) {
  return { branch: branchResponse(change.branch), operations: operationResponses(controlPlane, change.operations) };
}
