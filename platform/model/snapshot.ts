import type { SnapshotCreate, SnapshotRestore, SnapshotUpdate } from "../../api/schemas/snapshot";
import { badRequest, notFound, unprocessable } from "../http-error";
import { newId } from "../storage/ids";
import { wholeSeconds } from "../storage/timestamps";
import { blankBranch, branchOf, requireFreeName, requireRoom, requireRoomForRoot } from "./branch";
import type { ControlPlane } from "./control-plane";
import { createDatabase, databasesOf } from "./database";
import { endpointsOfBranch } from "./endpoint";
import { pointInHistory } from "./history";
import { begin, requireFree } from "./operation";
import { takePlace } from "./restore";
import { rolesOf } from "./role";
import type { Author, BranchRow, EndpointRow, OperationRow, ProjectRow, SnapshotRow } from "./rows";
import { limits } from "./user";

/** What a change to a snapshot answers: the snapshot, and the operations that bring the change about. */
export interface SnapshotChange {
  readonly snapshot: SnapshotRow;
  readonly operations: readonly OperationRow[];
}

/** Takes a snapshot of a branch because somebody asks for it. */
export function createSnapshot(
  plane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  asked: SnapshotCreate,
): SnapshotChange {
  requireRoot(branch);
  const expiresAt = asked.expires_at === undefined ? undefined : Date.parse(asked.expires_at);
  if (expiresAt !== undefined && expiresAt <= plane.clock.now()) throw badRequest("expires_at must be in the future");
  if (plane.tables.snapshots.count({ project_id: project.id, manual: 1, deleted_at: null }) >= limits.manualSnapshots) {
    throw unprocessable(`the limit of ${limits.manualSnapshots} manual snapshots per project is reached`);
  }
  const point = pointInHistory(
    plane,
    project,
    branch,
    { lsn: asked.lsn, timestamp: asked.timestamp },
    { lsn: "lsn", timestamp: "timestamp" },
  );
  requireFree(plane, project.id);
  if (!isReady(branch)) throw unprocessable(`branch ${branch.id} is not ready yet`);
  return take(plane, branch, { point, name: asked.name, expiresAt, manual: true });
}

/** Takes one because its time has come; a branch that has none to give just now is left out. */
export function takeScheduledSnapshot(
  plane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  expiresAt: number | undefined,
): void {
  if (branch.parent_id !== undefined || !isReady(branch)) return;
  const now = { lsn: undefined, timestamp: undefined };
  const point = pointInHistory(plane, project, branch, now, { lsn: "lsn", timestamp: "timestamp" });
  take(plane, branch, { point, name: undefined, expiresAt, manual: false });
}

/** Changes a snapshot's name; nothing has to be waited for. */
export function updateSnapshot(plane: ControlPlane, snapshot: SnapshotRow, { name }: SnapshotUpdate): SnapshotRow {
  const changed = { ...snapshot, name: name ?? snapshot.name };
  plane.tables.snapshots.put(changed);
  return changed;
}

export function deleteSnapshot(plane: ControlPlane, snapshot: SnapshotRow): readonly OperationRow[] {
  const operations = begin(plane, snapshot.project_id, [
    { action: "delete_timeline", branchId: snapshot.source_branch_id },
  ]);
  const deletion = { deleted_at: plane.stamps.next(), deletion_id: operations[0]?.id ?? null };
  plane.tables.snapshots.put({ ...snapshot, ...deletion });
  return operations;
}

/**
 * Makes a root branch of what a snapshot holds. It is to take the place of another branch: at once, or when its restore is
 * finalized.
 */
export function restoreSnapshot(
  plane: ControlPlane,
  project: ProjectRow,
  author: Author,
  snapshot: SnapshotRow,
  asked: SnapshotRestore,
): { branch: BranchRow; endpoints: readonly EndpointRow[]; operations: readonly OperationRow[] } {
  const { tables, stamps } = plane;
  const target = targetOf(plane, snapshot, asked);
  if (asked.name !== undefined) requireFreeName(plane, project.id, asked.name);
  requireRoom(plane, project.id);
  requireRoomForRoot(plane, project.id);
  requireFree(plane, project.id);
  if (snapshot.creation_id !== null) throw unprocessable(`snapshot ${snapshot.id} is not ready yet`);

  const branch: BranchRow = {
    ...blankBranch(plane, project, author, asked.name),
    ...(snapshot.full_size === undefined ? {} : { logical_size: snapshot.full_size }),
    restore_status: "restored",
    restored_from: snapshot.id,
    ...(target && { restored_as: target.id }),
  };
  tables.branches.put(branch);
  for (const role of snapshot.roles) {
    const stamp = stamps.next();
    tables.roles.put({ ...role, branch_id: branch.id, created_at: stamp, updated_at: stamp });
  }
  for (const { name, owner_name } of snapshot.databases) createDatabase(plane, branch, name, owner_name);
  const placing = asked.finalize_restore === true ? takePlace(plane, branch, undefined) : [];
  const operations = begin(plane, project.id, [{ action: "create_branch", branchId: branch.id }, ...placing]);
  return {
    branch: branchOf(plane, project.id, branch.id),
    endpoints: endpointsOfBranch(plane, branch.id),
    operations,
  };
}

export function snapshotsOfProject({ tables }: ControlPlane, projectId: string): SnapshotRow[] {
  return tables.snapshots.list({ project_id: projectId, deleted_at: null }, "ORDER BY created_at DESC");
}

export function snapshotOf({ tables }: ControlPlane, projectId: string, snapshotId: string): SnapshotRow {
  const found = tables.snapshots.get({ id: snapshotId, project_id: projectId, deleted_at: null });
  if (!found) throw notFound("snapshot");
  return found;
}

/** A snapshot as clients see it. */
export function snapshotAnswer(row: SnapshotRow): object {
  const { id, name, lsn, timestamp, source_branch_id, created_at, expires_at, manual, full_size } = row;
  return { id, name, lsn, timestamp, source_branch_id, created_at, expires_at, manual, full_size };
}

/** Snapshots, and schedules of them, are for branches that have no parent. */
export function requireRoot(branch: BranchRow): void {
  if (branch.parent_id !== undefined) throw unprocessable("only root branches have snapshots and backup schedules");
}

function isReady(branch: BranchRow): boolean {
  return !["init", "resetting"].includes(branch.current_state);
}

function take(
  plane: ControlPlane,
  branch: BranchRow,
  how: {
    readonly point: Pick<BranchRow, "parent_lsn" | "parent_timestamp">;
    readonly name: string | undefined;
    readonly expiresAt: number | undefined;
    readonly manual: boolean;
  },
): SnapshotChange {
  const id = newId.snapshot();
  const { parent_lsn: lsn, parent_timestamp: timestamp } = how.point;
  const operations = begin(plane, branch.project_id, [{ action: "timeline_mark_invisible", branchId: branch.id }]);
  const snapshot: SnapshotRow = {
    id,
    project_id: branch.project_id,
    source_branch_id: branch.id,
    name: how.name ?? id,
    ...(lsn === undefined ? {} : { lsn }),
    ...(timestamp === undefined ? {} : { timestamp }),
    created_at: plane.stamps.next(),
    ...(how.expiresAt === undefined ? {} : { expires_at: wholeSeconds(how.expiresAt) }),
    manual: how.manual,
    creation_id: operations[0]?.id ?? null,
    roles: rolesOf(plane, branch.id).map(({ next_password: _next, ...role }) => role),
    databases: databasesOf(plane, branch.id).map(({ name, owner_name }) => ({ name, owner_name })),
    deleted_at: null,
    deletion_id: null,
  };
  plane.tables.snapshots.put(snapshot);
  return { snapshot, operations };
}

/** The branch to replace: the one that is named, or else the one that the snapshot was taken of, if it is still there. */
function targetOf(
  plane: ControlPlane,
  { project_id: projectId, source_branch_id: sourceId }: SnapshotRow,
  { target_branch_id: targetId, finalize_restore: finalize }: SnapshotRestore,
): BranchRow | undefined {
  if (targetId !== undefined) return branchOf(plane, projectId, targetId);
  const source = plane.tables.branches.get({ id: sourceId, project_id: projectId, deleted_at: null });
  if (!source && finalize === true) {
    throw unprocessable("the branch that the snapshot was taken of is gone; name another one as target_branch_id");
  }
  return source;
}
