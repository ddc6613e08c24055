import { becameActive, becameIdle } from "./activity";
import type { ControlPlane } from "./control-plane";
import { foreseeQuota } from "./quota";
import type { BranchRow, EndpointRow, OperationRow } from "./rows";

/** What an operation does to its objects when it ends well; one that ends otherwise leaves them as they are. */
interface Effect {
  readonly endpoint?: (plane: ControlPlane, endpoint: EndpointRow, at: number) => void;
  readonly endpointState?: "active" | "idle";
  readonly branchState?: string;
}

const branchIsReady: Effect = { branchState: "ready" };
/** Nothing can be applied to a compute that rests: it is woken for it. */
const applied: Effect = {
  endpointState: "active",
  endpoint: (plane, endpoint, at) => {
    if (endpoint.current_state !== "active") becameActive(plane, endpoint, at);
  },
};
const effects: Readonly<Record<string, Effect>> = {
  apply_config: applied,
  create_timeline: branchIsReady,
  create_branch: branchIsReady,
  timeline_archive: { branchState: "archived" },
  timeline_unarchive: branchIsReady,
  start_compute: { endpointState: "active", endpoint: becameActive },
  suspend_compute: { endpointState: "idle", endpoint: becameIdle },
};

/** The state a compute is on its way to while such an operation is under way, if to another one than it is in. */
export function endpointStateAfter(action: string, now: EndpointRow["current_state"]): "active" | "idle" | undefined {
  const state = effects[action]?.endpointState;
  return state === now ? undefined : state;
}

/** Carries out what an operation was for. */
export function takeEffect(plane: ControlPlane, operation: OperationRow, at: number): void {
  const { tables } = plane;
  const effect = effects[operation.action];
  const branch = operation.branch_id === undefined ? undefined : tables.branches.get({ id: operation.branch_id });
  if (branch && effect?.branchState !== undefined) enterBranchState(plane, branch, effect.branchState, at);
  settlePassword(plane, operation, true);
  fillSnapshots(plane, operation.id);
  const endpoint =
    operation.endpoint_id === undefined ? undefined : tables.endpoints.get({ id: operation.endpoint_id });
  if (endpoint && effect?.endpoint) {
    effect.endpoint(plane, endpoint, at);
    foreseeQuota(plane, endpoint.project_id, at);
  }
  completeDeletions(plane, operation.id);
}

/** Takes back what clients were shown in advance: an object whose deletion ends without success is there again. */
export function abandon(plane: ControlPlane, operation: OperationRow): void {
  const { tables } = plane;
  const target = effects[operation.action]?.branchState;
  const branch = operation.branch_id === undefined ? undefined : tables.branches.get({ id: operation.branch_id });
  if (branch && target !== undefined) {
    const { pending_state: _given, ...rest } = branch;
    tables.branches.put(rest);
  }
  settlePassword(plane, operation, false);
  const back = { deleted_at: null, deletion_id: null } as const;
  const mine = { deletion_id: operation.id };
  for (const row of tables.endpoints.list(mine)) tables.endpoints.put({ ...row, ...back });
  for (const row of tables.roles.list(mine)) tables.roles.put({ ...row, ...back });
  for (const row of tables.databases.list(mine)) tables.databases.put({ ...row, ...back });
  for (const row of tables.snapshots.list(mine)) tables.snapshots.put({ ...row, ...back });
  for (const row of tables.branches.list(mine)) {
    tables.branches.put({ ...row, ...back, recoverable_until: null, deletion_method: null });
  }
}

/** Puts the password that waits for an operation in force, or forgets it. */
function settlePassword({ tables }: ControlPlane, { id, branch_id: branchId }: OperationRow, inForce: boolean): void {
  if (branchId === undefined) return;
  const waiting = "AND body ->> '$.next_password.operation_id' = ?";
  for (const { next_password: next, ...role } of tables.roles.list({ branch_id: branchId }, waiting, id)) {
    tables.roles.put(inForce && next !== undefined ? { ...role, password: next.value } : role);
  }
}

/** A snapshot has something in it once it has been taken. */
function fillSnapshots({ tables }: ControlPlane, operationId: string): void {
  for (const snapshot of tables.snapshots.list({ creation_id: operationId })) {
    const { logical_size: size = freshDatabaseBytes } = tables.branches.get({ id: snapshot.source_branch_id }) ?? {};
    tables.snapshots.put({ ...snapshot, creation_id: null, full_size: size });
  }
}

function completeDeletions({ tables }: ControlPlane, operationId: string): void {
  for (const table of [tables.roles, tables.databases, tables.snapshots]) table.remove({ deletion_id: operationId });
  for (const branch of tables.branches.list({ deletion_id: operationId })) {
    tables.branches.put({ ...branch, deletion_id: null });
  }
  for (const endpoint of tables.endpoints.list({ deletion_id: operationId })) {
    // Those of a deleted branch are kept with it, for as long as it can be recovered.
    if (tables.branches.get({ id: endpoint.branch_id, deleted_at: null })) tables.endpoints.remove({ id: endpoint.id });
    else tables.endpoints.put({ ...endpoint, deletion_id: null });
  }
}

function enterBranchState(plane: ControlPlane, branch: BranchRow, state: string, at: number): void {
  const stamp = plane.stamps.next(at);
  const { pending_state: reached, ...rest } = restored(branch, stamp);
  plane.tables.branches.put({
    ...rest,
    ...(reached === undefined || reached === state ? {} : { pending_state: reached }),
    current_state: state,
    state_changed_at: stamp,
    updated_at: stamp,
    logical_size: branch.logical_size ?? freshDatabaseBytes,
  });
}

/** A branch whose restore has ended well begins where that says from now on. */
function restored(branch: BranchRow, stamp: string): BranchRow {
  if (branch.restoring === undefined) return branch;
  const { restoring, parent_lsn: _lsn, parent_timestamp: _timestamp, ...rest } = branch;
  return { ...rest, ...restoring, last_reset_at: stamp };
}

/** What an empty Postgres database takes. */
const freshDatabaseBytes = 30_785_536;
