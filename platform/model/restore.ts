import type { BranchRestore } from "../../api/schemas/branch";
import { badRequest, conflict, notFound, unprocessable } from "../http-error";
import { wholeSeconds } from "../storage/timestamps";
import {
  blankBranch,
  type BranchChange,
  branchOf,
  hasChildren,
  requireFreeName,
  requireRoom,
  requireRoomForRoot,
} from "./branch";
import type { ControlPlane } from "./control-plane";
import { copyDatabases } from "./database";
import { endpointsOfBranch, startPlan, suspendPlan } from "./endpoint";
import { pointInHistory } from "./history";
import { begin, type Plan, requireFree } from "./operation";
import { copyRoles } from "./role";
import type { Author, BranchRow, EndpointRow, OperationRow, ProjectRow } from "./rows";

/** For how long the children of a branch that came from a snapshot cannot be reset from it. */
const detachingMs = 86_400_000;

/**
 * Overwrites a branch with what another one, or it itself, holds or held. Its computes keep their hosts and are started
 * again; where it begins is final only when the operations have ended well.
 */
export function restoreBranch(
  plane: ControlPlane,
  project: ProjectRow,
  author: Author,
  branch: BranchRow,
  asked: BranchRestore,
): BranchChange {
  const { tables, stamps } = plane;
  const source = branchOf(plane, project.id, asked.source_branch_id);
  const isSelf = source.id === branch.id;
  const keepAs = asked.preserve_under_name === "" ? undefined : asked.preserve_under_name;
  requireRestorable(plane, branch, source, { ...asked, preserve_under_name: keepAs });
  const point = pointInHistory(
    plane,
    project,
    source,
    { lsn: asked.source_lsn, timestamp: asked.source_timestamp },
    { lsn: "source_lsn", timestamp: "source_timestamp" },
  );
  requireFree(plane, project.id);
  requireReady(branch, source);

  const kept = keepAs === undefined ? undefined : preserve(plane, project, author, branch, keepAs);
  if (!isSelf) {
    for (const table of [tables.roles, tables.databases]) table.remove({ branch_id: branch.id });
    copyRoles(plane, source, branch, project.store_passwords);
    copyDatabases(plane, source, branch);
  }
  // A root that goes back in its own history stays one; any other branch becomes the child of what it is made of.
  const parent = !isSelf ? source : branch.parent_id === undefined ? undefined : kept;
  const stamp = stamps.next();
  tables.branches.put({
    ...(source.id === branch.parent_id ? withExpiryAnew(plane, branch) : branch),
    ...(parent && { parent_id: parent.id }),
    restoring: parent === undefined ? {} : point,
    history_since: stamp,
    current_state: "resetting",
    pending_state: "ready",
    state_changed_at: stamp,
    updated_at: stamp,
  });
  const active = endpointsOfBranch(plane, branch.id).filter(({ current_state: state }) => state === "active");
  const operations = begin(plane, project.id, [
    ...active.map(suspendPlan),
    { action: "create_branch", branchId: branch.id },
    ...active.map(startPlan),
  ]);
  return { branch: branchOf(plane, project.id, branch.id), operations };
}

/**
 * Puts a branch that was made from a snapshot in the place of the one that it is to replace: that one's computes, name
 * and default mark become its own.
 */
export function finalizeRestore(plane: ControlPlane, branch: BranchRow, name: string | undefined): OperationRow[] {
  return begin(plane, branch.project_id, takePlace(plane, branch, name));
}

/** The same, with the operations left to the caller to begin. */
export function takePlace(plane: ControlPlane, branch: BranchRow, name: string | undefined): Plan[] {
  const { tables, stamps } = plane;
  const { restore_status: status, restored_as: replacedId } = branch;
  if (status !== "restored" || replacedId === undefined) {
    throw unprocessable("only a branch that was restored from a snapshot and is not finalized yet can be finalized");
  }
  const replaced = tables.branches.get({ id: replacedId, project_id: branch.project_id, deleted_at: null });
  if (!replaced) throw notFound("the branch to replace");
  const formerName = name ?? formerNameOf(plane, replaced);
  if (formerName !== branch.name) requireFreeName(plane, branch.project_id, formerName);
  const moving = endpointsOfBranch(plane, replaced.id);
  requireOneReadWrite(plane, branch, moving);
  requireFree(plane, branch.project_id);

  const active = moving.filter(({ current_state: state }) => state === "active");
  for (const endpoint of moving) {
    tables.endpoints.put({ ...endpoint, branch_id: branch.id, updated_at: stamps.next() });
  }
  tables.branches.put({ ...replaced, name: formerName, default: false, updated_at: stamps.next() });
  tables.branches.put({
    ...branch,
    name: replaced.name,
    default: branch.default || replaced.default,
    restore_status: "finalized",
    updated_at: stamps.next(),
  });
  const restarted = active.map((endpoint) => ({ ...endpoint, branch_id: branch.id }));
  return restarted.flatMap((endpoint) => [suspendPlan(endpoint), startPlan(endpoint)]);
}

function requireRestorable(plane: ControlPlane, branch: BranchRow, source: BranchRow, asked: BranchRestore): void {
  if (branch.protected) throw unprocessable("cannot restore a protected branch; unprotect it first");
  const isNamed = asked.preserve_under_name !== undefined;
  if (source.id === branch.id) {
    if (asked.source_lsn === undefined && asked.source_timestamp === undefined) {
      throw badRequest("source_lsn or source_timestamp is required to restore a branch from its own history");
    }
    if (!isNamed) throw badRequest("preserve_under_name is required to restore a branch from its own history");
  }
  if (!isNamed && hasChildren(plane, branch)) {
    throw unprocessable("preserve_under_name is required to restore a branch that has children");
  }
  if (source.expires_at !== undefined && source.id !== branch.id) {
    throw unprocessable("a branch that expires cannot be the source of a restore");
  }
  const isNew = plane.clock.now() - Date.parse(source.created_at) < detachingMs;
  if (source.id === branch.parent_id && source.restored_from !== undefined && isNew) {
    throw unprocessable("the parent was restored from a snapshot less than 24 hours ago; try again later");
  }
}

function requireReady(branch: BranchRow, source: BranchRow): void {
  if (branch.current_state === "init") throw unprocessable(`branch ${branch.id} is not ready yet`);
  if (["init", "resetting"].includes(source.current_state)) {
    throw unprocessable(`source branch ${source.id} is not ready yet`);
  }
}

/** Keeps what a branch holds under another name; its children are that one's from now on. */
function preserve(
  plane: ControlPlane,
  project: ProjectRow,
  author: Author,
  branch: BranchRow,
  name: string,
): BranchRow {
  const { tables, stamps } = plane;
  const { parent_id, parent_lsn, parent_timestamp, current_state, init_source, logical_size } = branch;
  requireFreeName(plane, project.id, name);
  requireRoom(plane, project.id);
  if (parent_id === undefined) requireRoomForRoot(plane, project.id);
  if (current_state === "resetting") throw unprocessable("an earlier restore has left nothing to preserve");
  const { pending_state: _pending, ...blank } = blankBranch(plane, project, author, name);
  const kept: BranchRow = {
    ...blank,
    ...(parent_id === undefined ? {} : { parent_id }),
    ...(parent_lsn === undefined ? {} : { parent_lsn }),
    ...(parent_timestamp === undefined ? {} : { parent_timestamp }),
    ...(logical_size === undefined ? {} : { logical_size }),
    current_state,
    init_source,
    history_since: branch.history_since ?? branch.created_at,
  };
  for (const child of tables.branches.list({ parent_id: branch.id })) {
    tables.branches.put({ ...child, parent_id: kept.id, updated_at: stamps.next() });
  }
  tables.branches.put(kept);
  copyRoles(plane, branch, kept, project.store_passwords);
  copyDatabases(plane, branch, kept);
  return kept;
}

/** A branch that expires lives for as long again when it is reset from its parent. */
function withExpiryAnew({ clock }: ControlPlane, branch: BranchRow): BranchRow {
  const { ttl_interval_seconds: seconds } = branch;
  if (branch.expires_at === undefined || seconds === undefined) return branch;
  return { ...branch, expires_at: wholeSeconds(clock.now() + seconds * 1000) };
}

/** A name that is free: a branch can be replaced more than once. */
function formerNameOf({ tables }: ControlPlane, { id, project_id, name }: BranchRow): string {
  const usual = `${name} (old)`;
  return tables.branches.get({ project_id, name: usual }) === undefined ? usual : `${usual} ${id}`;
}

function requireOneReadWrite(plane: ControlPlane, branch: BranchRow, moving: readonly EndpointRow[]): void {
  const own = endpointsOfBranch(plane, branch.id);
  const all = [...own, ...moving].filter(({ type }) => type === "read_write");
  if (all.length > 1) throw conflict("both branches have a read-write endpoint; delete that of the restored one first");
}
