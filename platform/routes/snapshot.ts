import { z } from "zod";

import { snapshotCreate, snapshotRestore, snapshotUpdate } from "../../api/schemas/snapshot";
import { projectMember } from "../http/authorization";
import { route } from "../http/route";
import { authorOf } from "../model/accounts/caller";
import { branchResponse, getBranch } from "../model/branches/branch";
import {
  createSnapshot,
  deleteSnapshot,
  getSnapshot,
  listSnapshots,
  restoreSnapshot,
  snapshotResponse,
  updateSnapshot,
} from "../model/branches/snapshot";
import { endpointResponse } from "../model/computes/endpoint";
import { operationResponses } from "../model/operations/operation";

const snapshotsPath = "/projects/:project_id/snapshots";
const snapshotPath = `${snapshotsPath}/:snapshot_id`;

export const snapshotRoutes = [
  route({
    method: "POST",
    path: "/projects/:project_id/branches/:branch_id/snapshot",
    authorization: projectMember,
    query: snapshotCreate,
    handle: ({ controlPlane, project, parameter, query }) => {
      const branch = getBranch(controlPlane, project.id, parameter("branch_id"));
      const { snapshot, operations } = createSnapshot(controlPlane, project, branch, query);
      return { snapshot: snapshotResponse(snapshot), operations: operationResponses(controlPlane, operations) };
    },
  }),
  route({
    method: "GET",
    path: snapshotsPath,
    authorization: projectMember,
    handle: ({ controlPlane, project }) => ({
      snapshots: listSnapshots(controlPlane, project.id).map(snapshotResponse),
    }),
  }),
  route({
    method: "PATCH",
    path: snapshotPath,
    authorization: projectMember,
    body: z.object({ snapshot: snapshotUpdate }),
    handle: ({ controlPlane, project, parameter, body }) => {
      const snapshot = getSnapshot(controlPlane, project.id, parameter("snapshot_id"));
      return { snapshot: snapshotResponse(updateSnapshot(controlPlane, snapshot, body.snapshot)) };
    },
  }),
  route({
    method: "DELETE",
    path: snapshotPath,
    authorization: projectMember,
    status: 202,
    handle: ({ controlPlane, project, parameter }) => {
      const snapshot = getSnapshot(controlPlane, project.id, parameter("snapshot_id"));
      return { operations: operationResponses(controlPlane, deleteSnapshot(controlPlane, snapshot)) };
    },
  }),
  route({
    method: "POST",
    path: `${snapshotPath}/restore`,
    authorization: projectMember,
    // The deprecated place of the branch name.
    query: snapshotRestore.pick({ name: true }),
    body: snapshotRestore,
    isBodyOptional: true,
    handle: ({ controlPlane, caller, project, parameter, query, body }) => {
      const snapshot = getSnapshot(controlPlane, project.id, parameter("snapshot_id"));
      const restored = restoreSnapshot(controlPlane, project, authorOf(caller), snapshot, { ...query, ...body });
      return {
        branch: branchResponse(restored.branch),
        endpoints: restored.endpoints.map(endpointResponse),
        operations: operationResponses(controlPlane, restored.operations),
      };
    },
  }),
];
