import { z } from "zod";

import { snapshotCreate, snapshotRestore, snapshotUpdate } from "../../api/schemas/snapshot";
import { inProject } from "../http/authorization";
import { route } from "../http/route";
import { branchAnswer, branchOf } from "../model/branch";
import { authorOf } from "../model/caller";
import type { ControlPlane } from "../model/control-plane";
import { endpointAnswer } from "../model/endpoint";
import { operationAnswer } from "../model/operation";
import type { OperationRow } from "../model/rows";
import {
  createSnapshot,
  deleteSnapshot,
  restoreSnapshot,
  snapshotAnswer,
  snapshotOf,
  snapshotsOfProject,
  updateSnapshot,
} from "../model/snapshot";

const snapshots = "/projects/:project_id/snapshots";
const snapshot = `${snapshots}/:snapshot_id`;

export const snapshotRoutes = [
  route({
    method: "POST",
    path: "/projects/:project_id/branches/:branch_id/snapshot",
    scope: inProject,
    query: snapshotCreate,
    handle: ({ plane, project: find, parameter, query }) => {
      const project = find();
      const taken = createSnapshot(plane, project, branchOf(plane, project.id, parameter("branch_id")), query);
      return { snapshot: snapshotAnswer(taken.snapshot), operations: operationsAnswer(plane, taken.operations) };
    },
  }),
  route({
    method: "GET",
    path: snapshots,
    scope: inProject,
    handle: ({ plane, project }) => ({ snapshots: snapshotsOfProject(plane, project().id).map(snapshotAnswer) }),
  }),
  route({
    method: "PATCH",
    path: snapshot,
    scope: inProject,
    body: z.object({ snapshot: snapshotUpdate }),
    handle: ({ plane, project, parameter, body }) => {
      const present = snapshotOf(plane, project().id, parameter("snapshot_id"));
      return { snapshot: snapshotAnswer(updateSnapshot(plane, present, body.snapshot)) };
    },
  }),
  route({
    method: "DELETE",
    path: snapshot,
    scope: inProject,
    status: 202,
    handle: ({ plane, project, parameter }) => {
      const present = snapshotOf(plane, project().id, parameter("snapshot_id"));
      return { operations: operationsAnswer(plane, deleteSnapshot(plane, present)) };
    },
  }),
  route({
    method: "POST",
    path: `${snapshot}/restore`,
    scope: inProject,
    // The older way to name the branch.
    query: snapshotRestore.pick({ name: true }),
    body: snapshotRestore,
    isBodyOptional: true,
    handle: ({ plane, caller, project: find, parameter, query, body }) => {
      const project = find();
      const present = snapshotOf(plane, project.id, parameter("snapshot_id"));
      const restored = restoreSnapshot(plane, project, authorOf(caller), present, { ...query, ...body });
      return {
        branch: branchAnswer(restored.branch),
        endpoints: restored.endpoints.map(endpointAnswer),
        operations: operationsAnswer(plane, restored.operations),
      };
    },
  }),
];

function operationsAnswer(plane: ControlPlane, operations: readonly OperationRow[]): object[] {
  return operations.map((operation) => operationAnswer(plane, operation));
}
