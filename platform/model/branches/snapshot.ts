import type { SnapshotCreate, SnapshotRestore, SnapshotUpdate } from "../../../api/schemas/snapshot";
import { badRequest, notFound, unprocessable } from "../../http-error";
import { newId } from "../../storage/ids";
import { wholeSeconds } from "../../storage/timestamps";
import { limits } from "../accounts/limits";
import { listBranchEndpoints } from "../computes/endpoint";
import type { ControlPlane } from "../control-plane";
import { startOperations } from "../operations/lifecycle";
import { requireUnlockedProject } from "../operations/project-lock";
import type { Author, BranchRow, EndpointRow, OperationRow, ProjectRow, SnapshotRow } from "../rows";
import { getBranch, newBranch } from "./branch";
import { checkBranchLimit, checkRootBranchLimit, requireUniqueName } from "./branch-limits";
import { isReady, requireReady } from "./branch-state";
import { insertDatabase, listDatabases } from "./database";
import { pointInHistory } from "./history";
import { replaceTarget } from "./restore";
import { listRoles } from "./role";

/** A changed snapshot and the operations that carry out the change. */
export interface SnapshotChange {
  readonly snapshot: SnapshotRow;
  readonly operations: readonly OperationRow[];
}

export function createSnapshot(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  input: SnapshotCreate,
): SnapshotChange {
  requireRootBranch(branch);
  const expiresAt = input.expires_at === undefined ? undefined : Date.parse(input.expires_at);
  if (expiresAt !== undefined && expiresAt <= controlPlane.clock.now())
    throw badRequest("expires_at must be in the future");
  if (
    controlPlane.tables.snapshots.count({ project_id: project.id, manual: 1, deleted_at: null }) >=
    limits.manualSnapshots
  ) {
    throw unprocessable(`the limit of ${limits.manualSnapshots} manual snapshots per project is reached`);
  }
  const point = pointInHistory(controlPlane, project, branch, { lsn: input.lsn, timestamp: input.timestamp }, "");
  requireUnlockedProject(controlPlane, project.id);
  requireReady(branch);
  return takeSnapshot(controlPlane, branch, { point, name: input.name, expiresAt, manual: true });
}

/** Takes a snapshot for a backup schedule, unless the branch is not ready or no longer a root branch. */
export function takeScheduledSnapshot(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  expiresAt: number | undefined,
): void {
  if (branch.parent_id !== undefined || !isReady(branch)) return;
  const point = pointInHistory(controlPlane, project, branch, { lsn: undefined, timestamp: undefined }, "");
  takeSnapshot(controlPlane, branch, { point, name: undefined, expiresAt, manual: false });
}

/** Renames a snapshot. This needs no operation. */
export function updateSnapshot(
  controlPlane: ControlPlane,
  snapshot: SnapshotRow,
  { name }: SnapshotUpdate,
): SnapshotRow {
  const changed = { ...snapshot, name: name ?? snapshot.name };
  controlPlane.tables.snapshots.put(changed);
  return changed;
}

export function deleteSnapshot(controlPlane: ControlPlane, snapshot: SnapshotRow): readonly OperationRow[] {
  const operations = startOperations(controlPlane, snapshot.project_id, [
    { action: "delete_timeline", branchId: snapshot.source_branch_id },
  ]);
  const deletion = { deleted_at: controlPlane.timestamps.next(), deletion_id: operations[0]?.id ?? null };
  controlPlane.tables.snapshots.put({ ...snapshot, ...deletion });
  return operations;
}

/**
 * Creates a root branch with the data of a snapshot. It replaces its target branch: at once with `finalize_restore`,
 * otherwise when the restore is finalized.
 */
export function restoreSnapshot(
  controlPlane: ControlPlane,
  project: ProjectRow,
  author: Author,
  snapshot: SnapshotRow,
  input: SnapshotRestore,
): { branch: BranchRow; endpoints: readonly EndpointRow[]; operations: readonly OperationRow[] } {
  const { tables, timestamps } = controlPlane;
  const target = targetOf(controlPlane, snapshot, input);
  if (input.name !== undefined) requireUniqueName(controlPlane, project.id, input.name);
  checkBranchLimit(controlPlane, project.id);
  checkRootBranchLimit(controlPlane, project.id);
  requireUnlockedProject(controlPlane, project.id);
  if (snapshot.creation_id !== null) throw unprocessable(`snapshot ${snapshot.id} is not ready yet`);

  const branch: BranchRow = {
    ...newBranch(controlPlane, project, author, input.name),
    ...(snapshot.full_size === undefined ? {} : { logical_size: snapshot.full_size }),
    restore_status: "restored",
    restored_from: snapshot.id,
    ...(target && { restored_as: target.id }),
  };
  tables.branches.put(branch);
  for (const role of snapshot.roles) {
    const timestamp = timestamps.next();
    tables.roles.put({ ...role, branch_id: branch.id, created_at: timestamp, updated_at: timestamp });
  }
  for (const { name, owner_name } of snapshot.databases) insertDatabase(controlPlane, branch, name, owner_name);
  const replacement = input.finalize_restore === true ? replaceTarget(controlPlane, branch, undefined) : [];
  const operations = startOperations(controlPlane, project.id, [
    { action: "create_branch", branchId: branch.id },
    ...replacement,
  ]);
  return {
    branch: getBranch(controlPlane, project.id, branch.id),
    endpoints: listBranchEndpoints(controlPlane, branch.id),
    operations,
  };
}

export function listSnapshots({ tables }: ControlPlane, projectId: string): SnapshotRow[] {
  return tables.snapshots.list({ project_id: projectId, deleted_at: null }, "ORDER BY created_at DESC");
}

export function getSnapshot({ tables }: ControlPlane, projectId: string, snapshotId: string): SnapshotRow {
  const found = tables.snapshots.get({ id: snapshotId, project_id: projectId, deleted_at: null });
  if (!found) throw notFound("snapshot");
  return found;
}

/** A snapshot as the API returns it. */
export function snapshotResponse(row: SnapshotRow): object {
  const { id, name, lsn, timestamp, source_branch_id, created_at, expires_at, manual, full_size } = row;
  return { id, name, lsn, timestamp, source_branch_id, created_at, expires_at, manual, full_size };
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
    readonly name: string | undefined;
    readonly expiresAt: number | undefined;
    readonly manual: boolean;
  },
): SnapshotChange {
  const id = newId.snapshot();
  const { parent_lsn: lsn, parent_timestamp: timestamp } = options.point;
  const operations = startOperations(controlPlane, branch.project_id, [
    { action: "timeline_mark_invisible", branchId: branch.id },
  ]);
  const snapshot: SnapshotRow = {
    id,
    project_id: branch.project_id,
    source_branch_id: branch.id,
    name: options.name ?? id,
    ...(lsn === undefined ? {} : { lsn }),
    ...(timestamp === undefined ? {} : { timestamp }),
    created_at: controlPlane.timestamps.next(),
    ...(options.expiresAt === undefined ? {} : { expires_at: wholeSeconds(options.expiresAt) }),
    manual: options.manual,
    creation_id: operations[0]?.id ?? null,
    roles: listRoles(controlPlane, branch.id).map(({ next_password: _next, ...role }) => role),
    databases: listDatabases(controlPlane, branch.id).map(({ name, owner_name }) => ({ name, owner_name })),
    deleted_at: null,
    deletion_id: null,
  };
  controlPlane.tables.snapshots.put(snapshot);
  return { snapshot, operations };
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
