import { branchMember, projectMember } from "../model/routing/authorization";
import { allow, alreadyDeleted, type ApiPaths } from "../model/routing/route";
import { getBranch } from "../model/branches/branch-state";
import {
  type ComputeAction,
  createEndpoint,
  deleteEndpoint,
  endpointResponse,
  getEndpoint,
  listBranchEndpoints,
  listProjectEndpoints,
  runComputeAction,
  updateEndpoint,
} from "../model/computes/endpoint";
import type { ControlPlane } from "../model/control-plane";
import { operationResponses, type Started } from "../model/operations/operation";
import type { EndpointRow } from "../model/computes/endpoint-row";
import * as published from "../published/requests";

const act = (action: ComputeAction) =>
  allow(projectMember, ({ controlPlane, project, parameter }) => {
    const endpoint = getEndpoint(controlPlane, project.id, parameter("endpoint_id"));
    return changeResponse(controlPlane, runComputeAction(controlPlane, project, endpoint, action));
  });

export const endpointPaths: ApiPaths = {
  "/projects/:project_id/endpoints": {
    GET: allow(projectMember, ({ controlPlane, project }) => ({
      endpoints: listProjectEndpoints(controlPlane, project.id).map(endpointResponse),
    })),
    POST: allow(
      { ...projectMember, status: 201, ...published.createProjectEndpoint },
      ({ controlPlane, project, body }) => {
        const branch = getBranch(controlPlane, project.id, body.endpoint.branch_id);
        return changeResponse(controlPlane, createEndpoint(controlPlane, project, branch, body.endpoint));
      },
    ),
  },
  "/projects/:project_id/branches/:branch_id/endpoints": {
    GET: allow(branchMember, ({ controlPlane, branch }) => ({
      endpoints: listBranchEndpoints(controlPlane, branch.id).map(endpointResponse),
    })),
  },
  "/projects/:project_id/endpoints/:endpoint_id": {
    GET: allow(projectMember, ({ controlPlane, project, parameter }) => ({
      endpoint: endpointResponse(getEndpoint(controlPlane, project.id, parameter("endpoint_id"))),
    })),
    PATCH: allow(
      { ...projectMember, ...published.updateProjectEndpoint },
      ({ controlPlane, project, parameter, body }) => {
        const endpoint = getEndpoint(controlPlane, project.id, parameter("endpoint_id"));
        return changeResponse(controlPlane, updateEndpoint(controlPlane, project, endpoint, body.endpoint));
      },
    ),
    DELETE: allow(projectMember, ({ controlPlane, project, parameter }) => {
      const id = parameter("endpoint_id");
      const endpoint = controlPlane.tables.endpoints.get({ id, project_id: project.id, deleted_at: null });
      if (!endpoint) return alreadyDeleted("endpoint", id);
      return changeResponse(controlPlane, deleteEndpoint(controlPlane, endpoint));
    }),
  },
  "/projects/:project_id/endpoints/:endpoint_id/start": { POST: act("start") },
  "/projects/:project_id/endpoints/:endpoint_id/suspend": { POST: act("suspend") },
  "/projects/:project_id/endpoints/:endpoint_id/restart": { POST: act("restart") },
};

function changeResponse(controlPlane: ControlPlane, change: Started<{ endpoint: EndpointRow }>) {
  return {
    endpoint: endpointResponse(change.endpoint),
    operations: operationResponses(controlPlane, change.operations),
  };
}
