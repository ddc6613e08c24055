import { z } from "zod";

import { branchMember, projectMember } from "../http/authorization";
import { allow, type ApiPaths } from "../http/route";
import { authorOf } from "../model/accounts/caller";
import { branchResponse } from "../model/branches/branch";
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
import { instant } from "../published/values";
import * as published from "../published/requests";

// What newer versions of the vendor's client send beyond the document.
const createQuery = published.createSnapshot.query.extend({
  slug: z
    .string()
    .regex(
      /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/,
      "must be 1 to 63 lower-case letters, digits and hyphens, start with a letter, and not end with a hyphen",
    )
    .optional(),
});
const updateBody = published.updateSnapshot.body.extend({
  snapshot: published.updateSnapshot.body.shape.snapshot.extend({ expires_at: instant.nullable().optional() }),
});

export const snapshotPaths: ApiPaths = {
  "/projects/:project_id/branches/:branch_id/snapshot": {
    POST: allow({ ...branchMember, query: createQuery }, ({ controlPlane, project, branch, query }) => {
      const { snapshot, operations } = createSnapshot(controlPlane, project, branch, query);
      return { snapshot: snapshotResponse(snapshot), operations: operationResponses(controlPlane, operations) };
    }),
  },
  "/projects/:project_id/snapshots": {
    GET: allow(projectMember, ({ controlPlane, project }) => ({
      snapshots: listSnapshots(controlPlane, project.id).map(snapshotResponse),
    })),
  },
  "/projects/:project_id/snapshots/:snapshot_id": {
    PATCH: allow({ ...projectMember, body: updateBody }, ({ controlPlane, project, parameter, body }) => {
      const snapshot = getSnapshot(controlPlane, project.id, parameter("snapshot_id"));
      return { snapshot: snapshotResponse(updateSnapshot(controlPlane, snapshot, body.snapshot)) };
    }),
    DELETE: allow({ ...projectMember, status: 202 }, ({ controlPlane, project, parameter }) => {
      const snapshot = getSnapshot(controlPlane, project.id, parameter("snapshot_id"));
      return { operations: operationResponses(controlPlane, deleteSnapshot(controlPlane, snapshot)) };
    }),
  },
  "/projects/:project_id/snapshots/:snapshot_id/restore": {
    POST: allow(
      // The query is the deprecated place of the branch name.
      { ...projectMember, ...published.restoreSnapshot },
      ({ controlPlane, caller, project, parameter, query, body }) => {
        const snapshot = getSnapshot(controlPlane, project.id, parameter("snapshot_id"));
        const restored = restoreSnapshot(controlPlane, project, authorOf(caller), snapshot, { ...query, ...body });
        return {
          branch: branchResponse(restored.branch),
          endpoints: restored.endpoints.map(endpointResponse),
          operations: operationResponses(controlPlane, restored.operations),
        };
      },
    ),
  },
};
