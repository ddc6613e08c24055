import type { BranchRestore } from "../../../api/schemas/branch";
import { badRequest, unprocessable } from "../../http-error";
import { isActive, listBranchEndpoints, startCompute, suspendCompute } from "../computes/endpoint";
import { copyRows } from "../containment";
import type { ControlPlane } from "../control-plane";
import { type Deletable, isLeftInPostgres } from "../deletable";
import { startOperations } from "../operations/lifecycle";
import type { OperationRow, PlannedOperation, Started } from "../operations/operation";
import { requireUnlockedProject } from "../operations/project-lock";
import type { Author } from "../accounts/user-row";
import type { EndpointRow } from "../computes/endpoint-row";
import type { ProjectRow } from "../projects/project-row";
import type { BranchRow } from "./branch-row";
import { newBranch } from "./branch";
import { checkBranchLimits, requireUniqueBranchName } from "./branch-limits";
import { getBranch, hasChildren, requireReady } from "./branch-state";
import { keepDataApis } from "./data-api";
import { listDatabases } from "./database";
import { requireLasting, withRenewedExpiry } from "./expiry";
import type { Moment } from "./data-origin";
import { momentOf, pointInHistory } from "./history";
import { requireUnrestricted } from "./masking-state";
import { forgetVerifier, listRoles, renewPasswords } from "./role";

/** The time after a restore from a snapshot in which the children of the branch cannot be reset from it. */
const detachingMs = 86_400_000;

/**
 * Overwrites a branch with the data of another branch, or with its own earlier data. Its computes keep their hosts and are
 * suspended; the next connection starts them. The branch gets its new place in the history once the operations have succeeded.
 */
export function restoreBranch(
  controlPlane: ControlPlane,
  project: ProjectRow,
  author: Author,
  branch: BranchRow,
  input: BranchRestore,
): Started<{ branch: BranchRow }> {
  const { tables, timestamps } = controlPlane;
  const source = getBranch(controlPlane, project.id, input.source_branch_id);
  const isOwnHistory = source.id === branch.id;
  const preservedName = input.preserve_under_name === "" ? undefined : input.preserve_under_name;
  requireRestorable(controlPlane, branch, source, { ...input, preserve_under_name: preservedName });
  const point = pointInHistory(controlPlane, project, source, "source_", input);
  requireUnlockedProject(controlPlane, project.id);
  if (branch.current_state === "init") requireReady(branch);
  requireReady(source);

  const preserved =
    preservedName === undefined ? undefined : preserve(controlPlane, project, author, branch, preservedName);
  if (!isOwnHistory) {
    const databases = listDatabases(controlPlane, branch.id);
    const moment = momentOf("source_", input);
    // Only a reset also replaces the buckets.
    const isReset = source.id === branch.parent_id && moment === undefined;
    copyRows(controlPlane, isReset ? "reset" : "restore", source.id, branch, moment);
    renewPasswords(controlPlane, project, source, branch.id);
    keepDataApis(controlPlane, branch, databases);
  } else {
    for (const role of listRoles(controlPlane, branch.id)) tables.roles.put(forgetVerifier(role));
    dropLaterDeletions(controlPlane, branch, momentOf("source_", input));
  }
  // A root branch that is restored from its own history stays one. Any other branch becomes the child of its source.
  const parent = !isOwnHistory ? source : branch.parent_id === undefined ? undefined : preserved;
  const timestamp = timestamps.next();
  tables.branches.put({
    ...(source.id === branch.parent_id ? withRenewedExpiry(controlPlane, branch) : branch),
    ...(parent && { parent_id: parent.id }),
    restoring: parent === undefined ? {} : point,
    origin: {
      kind: "branch",
      id: source.id,
      moment: momentOf("source_", input),
      ...(preserved && { preserved_as: preserved.id }),
    },
    history_since: timestamp,
    last_reset_at: timestamp,
    current_state: "resetting",
    pending_state: "ready",
    state_changed_at: timestamp,
    updated_at: timestamp,
  });
  const active = listBranchEndpoints(controlPlane, branch.id).filter(isActive);
  const operations = startOperations(controlPlane, project.id, [
    ...active.map(suspendCompute),
    { action: "create_branch", branchId: branch.id },
    ...(preserved ? [] : [{ action: "delete_timeline" as const, branchId: branch.id }]),
  ]);
  return { branch: getBranch(controlPlane, project.id, branch.id), operations };
}

/** Removes deletions after the moment to which a branch is restored, because its Postgres has the deleted objects again. */
function dropLaterDeletions({ tables }: ControlPlane, { id }: BranchRow, moment: Moment | undefined): void {
  const isLater = (row: Deletable): boolean => isLeftInPostgres(row) && !isLeftInPostgres(row, moment);
  for (const role of tables.roles.list({ branch_id: id })) if (isLater(role)) tables.roles.remove(role);
  for (const database of tables.databases.list({ branch_id: id })) {
    if (isLater(database)) tables.databases.remove(database);
  }
}

/**
 * Replaces the target of a branch that was restored from a snapshot. Both swap their computes, and the restored branch takes over
 * the name and `default`.
 */
export function finalizeRestore(
  controlPlane: ControlPlane,
  branch: BranchRow,
  name: string | undefined,
): OperationRow[] {
  return startOperations(controlPlane, branch.project_id, replaceTarget(controlPlane, branch, name));
}

/** Like {@link finalizeRestore}, but the caller starts the planned operations. */
export function replaceTarget(
  controlPlane: ControlPlane,
  branch: BranchRow,
  name: string | undefined,
): PlannedOperation[] {
  const { tables, timestamps } = controlPlane;
  const { restore_status: status, restored_as: targetId } = branch;
  if (status !== "restored" || targetId === undefined) {
    throw unprocessable("the branch was not restored from a snapshot, or is already finalized");
  }
  const where = { id: targetId, project_id: branch.project_id, deleted_at: null };
  const target = tables.branches.getOr404("the branch to replace", where);
  if (target.default) requireLasting(branch);
  const newTargetName = name ?? unusedName(controlPlane, target);
  if (newTargetName !== branch.name) requireUniqueBranchName(controlPlane, branch.project_id, newTargetName);
  requireUnlockedProject(controlPlane, branch.project_id);

  const computesOf = (from: BranchRow, to: BranchRow): EndpointRow[] =>
    listBranchEndpoints(controlPlane, from.id).map((endpoint) => ({ ...endpoint, branch_id: to.id }));
  const swapped = [...computesOf(target, branch), ...computesOf(branch, target)];
  for (const endpoint of swapped) tables.endpoints.put({ ...endpoint, updated_at: timestamps.next() });
  tables.branches.put({ ...target, name: newTargetName, default: false, updated_at: timestamps.next() });
  tables.branches.put({
    ...branch,
    name: target.name,
    default: branch.default || target.default,
    restore_status: "finalized",
    updated_at: timestamps.next(),
  });
  const active = swapped.filter(isActive);
  // Suspend before the start, so that two computes never run on the data of one branch.
  return [...active.map(suspendCompute), ...active.map(startCompute)];
}

function requireRestorable(
  controlPlane: ControlPlane,
  branch: BranchRow,
  source: BranchRow,
  input: BranchRestore,
): void {
  if (branch.protected) throw unprocessable("cannot restore a protected branch; unprotect it first");
  requireUnrestricted(branch, "restore");
  const isPreserved = input.preserve_under_name !== undefined;
  if (source.id === branch.id) {
    if (input.source_lsn === undefined && input.source_timestamp === undefined) {
      throw badRequest("source_lsn or source_timestamp is required to restore a branch from its own history");
    }
    if (!isPreserved) throw badRequest("preserve_under_name is required to restore a branch from its own history");
  }
  if (!isPreserved && hasChildren(controlPlane, branch)) {
    throw unprocessable("preserve_under_name is required to restore a branch that has children");
  }
  if (source.expires_at !== undefined && source.id !== branch.id) {
    throw unprocessable("a branch that expires cannot be the source of a restore");
  }
  const isDetaching = controlPlane.clock.now() - Date.parse(source.created_at) < detachingMs;
  if (source.id === branch.parent_id && source.restored_from !== undefined && isDetaching) {
    throw unprocessable("the parent was restored from a snapshot less than 24 hours ago; try again later");
  }
}

/** Keeps the data of a branch under another name. The children of the branch become children of the new branch. */
function preserve(
  controlPlane: ControlPlane,
  project: ProjectRow,
  author: Author,
  branch: BranchRow,
  name: string,
): BranchRow {
  const { tables, timestamps } = controlPlane;
  const { parent_id, parent_lsn, parent_timestamp, current_state, init_source, logical_size } = branch;
  requireUniqueBranchName(controlPlane, project.id, name);
  checkBranchLimits(controlPlane, project, { isRoot: parent_id === undefined });
  if (current_state === "resetting")
    throw unprocessable("the branch has nothing to preserve, because an earlier restore has failed");
  const preserved: BranchRow = {
    ...newBranch(controlPlane, project, author, name),
    pending_state: undefined,
    parent_id,
    parent_lsn,
    parent_timestamp,
    logical_size,
    current_state,
    init_source,
    history_since: branch.history_since ?? branch.created_at,
    history_lsn: branch.history_lsn,
    without_history: branch.without_history,
    current_lsn: branch.current_lsn,
  };
  for (const child of tables.branches.list({ parent_id: branch.id })) {
    tables.branches.put({ ...child, parent_id: preserved.id, updated_at: timestamps.next() });
  }
  tables.branches.put(preserved);
  copyRows(controlPlane, "preserve", branch.id, preserved);
  return preserved;
}

/** An unused name for a replaced branch, which may be replaced more than once. */
function unusedName({ tables }: ControlPlane, { id, project_id, name }: BranchRow): string {
  const usual = `${name} (old)`;
  return tables.branches.get({ project_id, name: usual }) === undefined ? usual : `${usual} ${id}`;
}
