import { z } from "zod";

import type { SnapshotCreate, SnapshotRestore, SnapshotUpdate } from "../../../api/schemas/snapshot";
import { badRequest, conflict, unprocessable } from "../../http-error";
import type { Answer, vendor } from "../../published/answers";
import * as published from "../../published/requests";
import { instant } from "../../published/values";
import { newId } from "../../storage/ids";
import { pick, wholeSeconds } from "../../storage/timestamps";
import { authorOf } from "../accounts/caller";
import { requireBelow } from "../accounts/limits";
import { limitsOf } from "../accounts/owner";
import { endpointResponse, insertEndpoint, listBranchEndpoints } from "../computes/endpoint";
import { copyRows } from "../containment";
import type { ControlPlane } from "../control-plane";
import { deleteAfter } from "../operations/effects";
import { startOperations } from "../operations/lifecycle";
import { type OperationRow, operationResponses, type Started } from "../operations/operation";
import { requireUnlockedProject } from "../operations/project-lock";
import type { Author } from "../accounts/user-row";
import type { EndpointRow } from "../computes/endpoint-row";
import type { ProjectRow } from "../projects/project-row";
import { branchMember, projectMember } from "../routing/authorization";
import { allow, type ApiPaths } from "../routing/route";
import type { BranchRow } from "./branch-row";
import type { Moment } from "./data-origin";
import { snapshotMembers, type SnapshotRow } from "./snapshot-row";
import { branchResponse, newBranch } from "./branch";
import { checkBranchLimits, requireUniqueBranchName } from "./branch-limits";
import { getBranch, isReady, requireReady } from "./branch-state";
import { momentOf, pointInHistory } from "./history";
import { replaceTarget } from "./restore";

// Adds the members that newer versions of the vendor's client send, and that the document lacks.
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
    GET: allow(projectMember, ({ controlPlane: { tables }, project: { id } }) => ({
      snapshots: tables.snapshots
        .list({ project_id: id, deleted_at: null }, "ORDER BY created_at DESC")
        .map(snapshotResponse),
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
      // The query can have the branch name too, which is deprecated.
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

function createSnapshot(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  input: SnapshotCreate,
): Started<{ snapshot: SnapshotRow }> {
  requireRootBranch(branch);
  const expiresAt = input.expires_at === undefined ? undefined : Date.parse(input.expires_at);
  requireFuture(controlPlane, expiresAt);
  const count = controlPlane.tables.snapshots.count({ project_id: project.id, manual: 1, deleted_at: null });
  requireBelow(limitsOf(controlPlane, project).manualSnapshots, count, "manual snapshots");
  const point = pointInHistory(controlPlane, project, branch, "", input);
  if (input.name !== undefined) requireUnique(controlPlane, project.id, { name: input.name });
  if (input.slug !== undefined) requireUnique(controlPlane, project.id, { slug: input.slug });
  requireUnlockedProject(controlPlane, project.id);
  requireReady(branch);
  return takeSnapshot(controlPlane, branch, {
    point,
    moment: momentOf("", input),
    name: input.name,
    slug: input.slug,
    expiresAt,
    manual: true,
  });
}

/** Takes a snapshot for a backup schedule, unless the branch is not ready or no longer a root branch. */
export function takeScheduledSnapshot(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  expiresAt: number,
): void {
  if (branch.parent_id !== undefined || !isReady(branch)) return;
  const point = pointInHistory(controlPlane, project, branch, "", {});
  takeSnapshot(controlPlane, branch, { point, expiresAt, manual: false });
}

/** Changes the name or the expiry of a snapshot. This needs no operation. */
function updateSnapshot(
  controlPlane: ControlPlane,
  snapshot: SnapshotRow,
  { name = snapshot.name, expires_at: expiry }: SnapshotUpdate,
): SnapshotRow {
  if (name !== snapshot.name) requireUnique(controlPlane, snapshot.project_id, { name });
  const expiresAt = typeof expiry === "string" ? Date.parse(expiry) : undefined;
  requireFuture(controlPlane, expiresAt);
  const changed = {
    ...snapshot,
    name,
    ...(expiry !== undefined && { expires_at: expiresAt === undefined ? undefined : wholeSeconds(expiresAt) }),
  };
  controlPlane.tables.snapshots.put(changed);
  return changed;
}

export function deleteSnapshot(controlPlane: ControlPlane, snapshot: SnapshotRow): readonly OperationRow[] {
  const operations = startOperations(controlPlane, snapshot.project_id, [
    { action: "delete_timeline", branchId: snapshot.hidden_branch_id },
  ]);
  deleteAfter(controlPlane, controlPlane.tables.snapshots, snapshot, operations[0]);
  return operations;
}

/**
 * Creates a root branch with the data of a snapshot. The new branch replaces its target: at once with `finalize_restore`,
 * otherwise when the restore is finalized. Until then, the new branch has a compute of its own.
 */
function restoreSnapshot(
  controlPlane: ControlPlane,
  project: ProjectRow,
  author: Author,
  snapshot: SnapshotRow,
  input: SnapshotRestore,
): Started<{ branch: BranchRow; endpoints: readonly EndpointRow[] }> {
  const { tables } = controlPlane;
  const target = targetOf(controlPlane, snapshot, input);
  if (input.name !== undefined) requireUniqueBranchName(controlPlane, project.id, input.name);
  checkBranchLimits(controlPlane, project, { isRoot: true });
  requireUnlockedProject(controlPlane, project.id);
  if (snapshot.creation_id !== null) throw unprocessable(`snapshot ${snapshot.id} is not ready yet`);

  const branch: BranchRow = {
    ...newBranch(controlPlane, project, author, input.name),
    logical_size: snapshot.full_size,
    restore_status: "restored",
    restored_from: snapshot.id,
    restored_as: target?.id,
    origin: { kind: "snapshot", id: snapshot.id },
  };
  tables.branches.put(branch);
  copyRows(controlPlane, "snapshot", snapshot.hidden_branch_id, branch);
  const computes =
    input.finalize_restore === true
      ? replaceTarget(controlPlane, branch, undefined)
      : insertEndpoint(controlPlane, project, branch, { type: "read_write" }).planned;
  const operations = startOperations(controlPlane, project.id, [
    { action: "timeline_unarchive", branchId: snapshot.hidden_branch_id },
    { action: "create_branch", branchId: branch.id },
    ...computes,
  ]);
  return {
    branch: getBranch(controlPlane, project.id, branch.id),
    endpoints: listBranchEndpoints(controlPlane, branch.id),
    operations,
  };
}

function getSnapshot({ tables }: ControlPlane, projectId: string, snapshotId: string): SnapshotRow {
  return tables.snapshots.getOr404("snapshot", { id: snapshotId, project_id: projectId, deleted_at: null });
}

function snapshotResponse(row: SnapshotRow) {
  return pick(row, snapshotMembers) satisfies Answer<vendor.Snapshot>;
}

/** @throws HttpError 422 if a branch has a parent. */
export function requireRootBranch(branch: BranchRow): void {
  if (branch.parent_id !== undefined) throw unprocessable("only root branches have snapshots and backup schedules");
}

function takeSnapshot(
  controlPlane: ControlPlane,
  branch: BranchRow,
  options: {
    readonly point: Pick<BranchRow, "parent_lsn" | "parent_timestamp">;
    readonly moment?: Moment | undefined;
    readonly name?: string | undefined;
    readonly slug?: string | undefined;
    readonly expiresAt: number | undefined;
    readonly manual: boolean;
  },
): Started<{ snapshot: SnapshotRow }> {
  const id = newId.snapshot();
  const hiddenBranchId = newId.branch();
  const { parent_lsn: lsn, parent_timestamp: timestamp } = options.point;
  const operations = startOperations(controlPlane, branch.project_id, [
    { action: "create_branch", branchId: hiddenBranchId },
    { action: "timeline_archive", branchId: hiddenBranchId },
  ]);
  const snapshot: SnapshotRow = {
    id,
    project_id: branch.project_id,
    source_branch_id: branch.id,
    hidden_branch_id: hiddenBranchId,
    name: options.name ?? id,
    slug: options.slug ?? newId.slug(),
    lsn,
    timestamp,
    created_at: controlPlane.timestamps.next(),
    expires_at: options.expiresAt === undefined ? undefined : wholeSeconds(options.expiresAt),
    manual: options.manual,
    creation_id: operations[0]?.id ?? null,
    origin: { kind: "branch", id: branch.id, moment: options.moment },
    deleted_at: null,
    deletion_id: null,
  };
  controlPlane.tables.snapshots.put(snapshot);
  const hidden = { id: hiddenBranchId, project_id: branch.project_id };
  copyRows(controlPlane, "snapshot", branch.id, hidden, options.moment);
  return { snapshot, operations };
}

/**
 * @throws HttpError 409 if the name or slug is in use. A snapshot keeps both until its deletion ends, because a failed deletion
 *   restores the snapshot.
 */
function requireUnique(
  { tables }: ControlPlane,
  projectId: string,
  wanted: { readonly name: string } | { readonly slug: string },
): void {
  const [[member, value]] = Object.entries(wanted) as [["name" | "slug", string]];
  const present = tables.snapshots.list(
    { project_id: projectId },
    "AND (deleted_at IS NULL OR deletion_id IS NOT NULL)",
  );
  if (present.some((one) => one[member] === value)) {
    throw conflict(`snapshot with the ${member} "${value}" already exists`);
  }
}

function requireFuture({ clock }: ControlPlane, time: number | undefined): void {
  if (time !== undefined && time <= clock.now()) throw badRequest("expires_at must be in the future");
}

/** The branch to replace: the one in the request, or the source of the snapshot if it still exists. */
function targetOf(
  controlPlane: ControlPlane,
  { project_id: projectId, source_branch_id: sourceId }: SnapshotRow,
  { target_branch_id: targetId, finalize_restore: finalize }: SnapshotRestore,
): BranchRow | undefined {
  if (targetId !== undefined) return getBranch(controlPlane, projectId, targetId);
  const source = controlPlane.tables.branches.get({ id: sourceId, project_id: projectId, deleted_at: null });
  if (!source && finalize === true) {
    throw unprocessable("the source branch of the snapshot does not exist; set target_branch_id to another branch");
  }
  return source;
}
