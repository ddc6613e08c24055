import { z } from "zod";

import { endpointCreate, endpointUpdate } from "../../api/schemas/endpoint";
import { badRequest, unprocessable } from "../http-error";
import { inProject } from "../http/authorization";
import { absent, route } from "../http/route";
import { branchOf } from "../model/branch";
import type { ControlPlane } from "../model/control-plane";
import {
  act,
  actions,
  addEndpoint,
  deleteEndpoint,
  endpointAnswer,
  type EndpointChange,
  endpointOf,
  endpointsOfBranch,
  endpointsOfProject,
  updateEndpoint,
  wakeBranch,
} from "../model/endpoint";
import { begin, operationAnswer, requireFree } from "../model/operation";
import type { BranchRow } from "../model/rows";

const endpoints = "/projects/:project_id/endpoints";
const endpoint = `${endpoints}/:endpoint_id`;

export const endpointRoutes = [
  route({
    method: "GET",
    path: endpoints,
    scope: inProject,
    handle: ({ plane, project }) => ({ endpoints: endpointsOfProject(plane, project().id).map(endpointAnswer) }),
  }),
  route({
    method: "GET",
    path: "/projects/:project_id/branches/:branch_id/endpoints",
    scope: inProject,
    handle: ({ plane, project, parameter }) => {
      const branch = branchOf(plane, project().id, parameter("branch_id"));
      return { endpoints: endpointsOfBranch(plane, branch.id).map(endpointAnswer) };
    },
  }),
  route({
    method: "POST",
    path: endpoints,
    scope: inProject,
    status: 201,
    body: z.object({ endpoint: endpointCreate }),
    handle: ({ plane, project: find, body: { endpoint: asked } }) => {
      const project = find();
      const branch = branchOf(plane, project.id, asked.branch_id);
      if (asked.region_id !== undefined && asked.region_id !== project.region_id) {
        throw badRequest(`region_id must be the project's own: ${project.region_id}`);
      }
      requireReady(plane, branch);
      const added = addEndpoint(plane, project, branch, asked);
      const wake = added.plans.length === 0 ? [] : wakeBranch(plane, added.endpoint);
      const operations = begin(plane, project.id, [...wake, ...added.plans]);
      return change(plane, { endpoint: endpointOf(plane, project.id, added.endpoint.id), operations });
    },
  }),
  route({
    method: "GET",
    path: endpoint,
    scope: inProject,
    handle: ({ plane, project, parameter }) => ({
      endpoint: endpointAnswer(endpointOf(plane, project().id, parameter("endpoint_id"))),
    }),
  }),
  route({
    method: "PATCH",
    path: endpoint,
    scope: inProject,
    body: z.object({ endpoint: endpointUpdate }),
    handle: ({ plane, project, parameter, body }) =>
      change(plane, updateEndpoint(plane, endpointOf(plane, project().id, parameter("endpoint_id")), body.endpoint)),
  }),
  route({
    method: "DELETE",
    path: endpoint,
    scope: inProject,
    handle: ({ plane, project, parameter }) => {
      const present = plane.tables.endpoints.get({
        id: parameter("endpoint_id"),
        project_id: project().id,
        deleted_at: null,
      });
      return present ? change(plane, deleteEndpoint(plane, present)) : absent("endpoint", parameter("endpoint_id"));
    },
  }),
  ...(Object.keys(actions) as (keyof typeof actions)[]).map((action) =>
    route({
      method: "POST",
      path: `${endpoint}/${action}`,
      scope: inProject,
      handle: ({ plane, project: find, parameter }) => {
        const project = find();
        return change(plane, act(plane, project, endpointOf(plane, project.id, parameter("endpoint_id")), action));
      },
    }),
  ),
];

/** Refuses a compute on a branch that is still being made, or whose making has failed. */
function requireReady(plane: ControlPlane, { id, project_id, current_state }: BranchRow): void {
  if (!["init", "resetting"].includes(current_state)) return;
  requireFree(plane, project_id);
  throw unprocessable(`branch ${id} is not ready yet`);
}

function change(plane: ControlPlane, { endpoint: changed, operations }: EndpointChange): object {
  return {
    endpoint: endpointAnswer(changed),
    operations: operations.map((operation) => operationAnswer(plane, operation)),
  };
}
