import type { Table } from "../../storage/table";
import { withMaskingPrepared, withPreparationFailed } from "../branches/masking-state";
import { markActive, markIdle } from "../computes/activity";
import { updateQuotaDeadline } from "../computes/quota";
import type { OperationAction } from "./actions";
import { purge } from "../containment";
import type { ControlPlane } from "../control-plane";
import type { BranchRow } from "../branches/branch-row";
import type { EndpointRow } from "../computes/endpoint-row";
import type { Deletable } from "../deletable";
import type { OperationRow } from "./operation";

/** The effect of a successful operation on its compute and its branch. */
interface Effect {
  readonly endpoint?: (controlPlane: ControlPlane, endpoint: EndpointRow, at: number) => void;
  readonly endpointState?: "active" | "idle";
  readonly branchState?: string;
}

const branchReady: Effect = { branchState: "ready" };
/** Starts an idle compute, because only an active one can apply a configuration. */
const configurationApplied: Effect = {
  endpointState: "active",
  endpoint: (controlPlane, endpoint, at) => {
    if (endpoint.current_state !== "active") markActive(controlPlane, endpoint, at);
  },
};
const effects: Readonly<Partial<Record<OperationAction, Effect>>> = {
  apply_config: configurationApplied,
  create_timeline: branchReady,
  create_branch: branchReady,
  timeline_archive: { branchState: "archived" },
  timeline_unarchive: branchReady,
  start_compute: { endpointState: "active", endpoint: markActive },
  suspend_compute: { endpointState: "idle", endpoint: markIdle },
};

/** The state that an action brings a compute to, if that is not its current state. */
export function targetEndpointState(
  action: OperationAction,
  current: EndpointRow["current_state"],
): "active" | "idle" | undefined {
  const state = effects[action]?.endpointState;
  return state === current ? undefined : state;
}

/** Applies the effects of a successful operation. */
export function applyEffects(controlPlane: ControlPlane, operation: OperationRow, at: number): void {
  const { tables } = controlPlane;
  const effect = effects[operation.action];
  const branch = operation.branch_id === undefined ? undefined : tables.branches.get({ id: operation.branch_id });
  if (branch && effect?.branchState !== undefined) setBranchState(controlPlane, branch, effect.branchState, at);
  resolvePendingPasswords(controlPlane, operation, true);
  completeSnapshots(controlPlane, operation.id);
  const endpoint =
    operation.endpoint_id === undefined ? undefined : tables.endpoints.get({ id: operation.endpoint_id });
  if (endpoint && effect?.endpoint) {
    effect.endpoint(controlPlane, endpoint, at);
    updateQuotaDeadline(controlPlane, endpoint.project_id, at);
  }
  completeDeletions(controlPlane, operation.id);
}

/**
 * Reverts the effects of a failed operation that clients could already see. An object whose deletion failed becomes visible again.
 */
export function revertEffects(controlPlane: ControlPlane, operation: OperationRow): void {
  const { tables } = controlPlane;
  const target = effects[operation.action]?.branchState;
  const branch = operation.branch_id === undefined ? undefined : tables.branches.get({ id: operation.branch_id });
  if (branch && target !== undefined) {
    tables.branches.put({ ...withPreparationFailed(controlPlane, branch), pending_state: undefined });
  }
  resolvePendingPasswords(controlPlane, operation, false);
  const deletedByThis = { deletion_id: operation.id };
  const notDeleted = { deleted_at: null, deletion_id: null } as const;
  for (const row of tables.endpoints.list(deletedByThis)) tables.endpoints.put({ ...row, ...notDeleted });
  for (const row of tables.roles.list(deletedByThis)) tables.roles.put({ ...row, ...notDeleted });
  for (const row of tables.databases.list(deletedByThis)) tables.databases.put({ ...row, ...notDeleted });
  for (const row of tables.snapshots.list(deletedByThis)) tables.snapshots.put({ ...row, ...notDeleted });
  for (const row of tables.branches.list(deletedByThis)) {
    tables.branches.put({ ...row, ...notDeleted, recoverable_until: null, deletion_method: null });
  }
}

/** Makes the passwords that wait for an operation valid, or discards them if the operation failed. */
function resolvePendingPasswords(
  { tables }: ControlPlane,
  { id, branch_id: branchId }: OperationRow,
  succeeded: boolean,
): void {
  if (branchId === undefined) return;
  const pending = "AND body ->> '$.next_password.operation_id' = ?";
  for (const role of tables.roles.list({ branch_id: branchId }, pending, id)) {
    // Postgres may already have the new password. Without a verifier, it gets the old one again.
    const catalog = role.catalog && { ...role.catalog, verifier: undefined };
    const { value: password, verifier } = role.next_password ?? {};
    const changed = succeeded ? { password, verifier } : { catalog };
    tables.roles.put({ ...role, ...changed, next_password: undefined });
  }
}

function completeSnapshots({ tables }: ControlPlane, operationId: string): void {
  for (const snapshot of tables.snapshots.list({ creation_id: operationId })) {
    const { logical_size: size = emptyDatabaseBytes } = tables.branches.get({ id: snapshot.source_branch_id }) ?? {};
    tables.snapshots.put({ ...snapshot, creation_id: null, full_size: size });
  }
}

/**
 * Deletes a row once an operation has succeeded; without an operation, at once. Clients do not see the row from now on. Without
 * an operation, the row of an object in Postgres is kept until the next compute starts.
 */
export function deleteAfter<Row extends Deletable & { readonly catalog?: unknown }>(
  { timestamps }: ControlPlane,
  table: Table<Row>,
  row: Row,
  operation: OperationRow | undefined,
): void {
  if (operation || row.catalog !== undefined) {
    table.put({ ...row, deleted_at: timestamps.next(), deletion_id: operation?.id ?? null });
  } else table.remove(row);
}

function completeDeletions(controlPlane: ControlPlane, operationId: string): void {
  const { tables } = controlPlane;
  const deleted = { deletion_id: operationId };
  for (const table of [tables.roles, tables.databases, tables.snapshots]) purge(controlPlane, table, deleted);
  for (const branch of tables.branches.list(deleted)) {
    tables.branches.put({ ...branch, deletion_id: null });
  }
  for (const endpoint of tables.endpoints.list(deleted)) {
    // The computes of a deleted branch are kept as long as the branch can be recovered.
    if (tables.branches.get({ id: endpoint.branch_id, deleted_at: null })) tables.endpoints.remove(endpoint);
    else tables.endpoints.put({ ...endpoint, deletion_id: null });
  }
}

function setBranchState(controlPlane: ControlPlane, branch: BranchRow, state: string, at: number): void {
  const timestamp = controlPlane.timestamps.next(at);
  controlPlane.tables.branches.put({
    ...withMaskingPrepared(controlPlane, withRestorePoint(branch), at),
    pending_state: branch.pending_state === state ? undefined : branch.pending_state,
    current_state: state,
    state_changed_at: timestamp,
    updated_at: timestamp,
    logical_size: branch.logical_size ?? emptyDatabaseBytes,
  });
}

/** Moves the start of a branch's history to the point that it was restored to. */
function withRestorePoint(branch: BranchRow): BranchRow {
  const { restoring } = branch;
  if (restoring === undefined) return branch;
  const { parent_lsn, parent_timestamp } = restoring;
  return { ...branch, parent_lsn, parent_timestamp, restoring: undefined };
}

/** The size of an empty Postgres database. */
const emptyDatabaseBytes = 30_785_536;
