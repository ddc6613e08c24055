import { z } from "zod";

import { endpointCreate, endpointUpdate } from "../../api/schemas/endpoint";
import { projectMember } from "../http/authorization";
import { alreadyDeleted, route } from "../http/route";
import { getBranch } from "../model/branches/branch";
import {
  computeActions,
  createEndpoint,
  deleteEndpoint,
  type EndpointChange,
  endpointResponse,
  getEndpoint,
  listBranchEndpoints,
  listProjectEndpoints,
  runComputeAction,
  updateEndpoint,
} from "../model/computes/endpoint";
import type { ControlPlane } from "../model/control-plane";
import { operationResponses } from "../model/operations/operation";

const endpointsPath = "/projects/:project_id/endpoints";
const endpointPath = `${endpointsPath}/:endpoint_id`;

export const endpointRoutes = [
  route({
    method: "GET",
    path: endpointsPath,
    authorization: projectMember,
    handle: ({ controlPlane, project }) => ({
      endpoints: listProjectEndpoints(controlPlane, project.id).map(endpointResponse),
    }),
  }),
  route({
    method: "GET",
    path: "/projects/:project_id/branches/:branch_id/endpoints",
    authorization: projectMember,
    handle: ({ controlPlane, project, parameter }) => {
      const branch = getBranch(controlPlane, project.id, parameter("branch_id"));
      return { endpoints: listBranchEndpoints(controlPlane, branch.id).map(endpointResponse) };
    },
  }),
  route({
    method: "POST",
    path: endpointsPath,
    authorization: projectMember,
    status: 201,
    body: z.object({ endpoint: endpointCreate }),
    handle: ({ controlPlane, project, body }) => {
      const branch = getBranch(controlPlane, project.id, body.endpoint.branch_id);
      return changeResponse(controlPlane, createEndpoint(controlPlane, project, branch, body.endpoint));
    },
  }),
  route({
    method: "GET",
    path: endpointPath,
    authorization: projectMember,
    handle: ({ controlPlane, project, parameter }) => ({
      endpoint: endpointResponse(getEndpoint(controlPlane, project.id, parameter("endpoint_id"))),
    }),
  }),
  route({
    method: "PATCH",
    path: endpointPath,
    authorization: projectMember,
    body: z.object({ endpoint: endpointUpdate }),
    handle: ({ controlPlane, project, parameter, body }) => {
      const endpoint = getEndpoint(controlPlane, project.id, parameter("endpoint_id"));
      return changeResponse(controlPlane, updateEndpoint(controlPlane, endpoint, body.endpoint));
    },
  }),
  route({
    method: "DELETE",
    path: endpointPath,
    authorization: projectMember,
    handle: ({ controlPlane, project, parameter }) => {
      const id = parameter("endpoint_id");
      const endpoint = controlPlane.tables.endpoints.get({ id, project_id: project.id, deleted_at: null });
      if (!endpoint) return alreadyDeleted("endpoint", id);
      return changeResponse(controlPlane, deleteEndpoint(controlPlane, endpoint));
    },
  }),
  ...(Object.keys(computeActions) as (keyof typeof computeActions)[]).map((action) =>
    route({
      method: "POST",
      path: `${endpointPath}/${action}`,
      authorization: projectMember,
      handle: ({ controlPlane, project, parameter }) => {
        const endpoint = getEndpoint(controlPlane, project.id, parameter("endpoint_id"));
        return changeResponse(controlPlane, runComputeAction(controlPlane, project, endpoint, action));
      },
    }),
  ),
];

function changeResponse(controlPlane: ControlPlane, { endpoint, operations }: EndpointChange): object {
  return { endpoint: endpointResponse(endpoint), operations: operationResponses(controlPlane, operations) };
}
