import type { ControlPlane } from "../control-plane";
import { becameActive, becameIdle } from "./activity";
import { foreseeQuota } from "./quota";
import type { BranchRow, EndpointRow, OperationRow } from "./rows";

/** What an operation does to its objects when it ends well; one that ends otherwise leaves them as they are. */
interface Effect {
  readonly endpoint?: (plane: ControlPlane, endpoint: EndpointRow, at: number) => void;
  readonly endpointState?: "active" | "idle";
  readonly branchState?: string;
}

const branchIsReady: Effect = { branchState: "ready" };
const effects: Readonly<Record<string, Effect>> = {
  create_timeline: branchIsReady,
  create_branch: branchIsReady,
  timeline_archive: { branchState: "archived" },
  timeline_unarchive: branchIsReady,
  start_compute: { endpointState: "active", endpoint: becameActive },
  suspend_compute: { endpointState: "idle", endpoint: becameIdle },
};

/** The state a compute is on its way to while such an operation is under way. */
export function endpointStateAfter(action: string): "active" | "idle" | undefined {
  return effects[action]?.endpointState;
}

/** Carries out what an operation was for. */
export function takeEffect(plane: ControlPlane, operation: OperationRow, at: number): void {
  const { tables } = plane;
  const effect = effects[operation.action];
  const branch = operation.branch_id === undefined ? undefined : tables.branches.get({ id: operation.branch_id });
  if (branch && effect?.branchState !== undefined) enterBranchState(plane, branch, effect.branchState, at);
  const endpoint =
    operation.endpoint_id === undefined ? undefined : tables.endpoints.get({ id: operation.endpoint_id });
  if (endpoint && effect?.endpoint) {
    effect.endpoint(plane, endpoint, at);
    foreseeQuota(plane, endpoint.project_id, at);
  }
  completeDeletions(plane, operation.id);
}

/** Takes back what clients were shown in advance: an object whose deletion ends without success is there again. */
export function abandon({ tables }: ControlPlane, operation: OperationRow): void {
  const target = effects[operation.action]?.branchState;
  const branch = operation.branch_id === undefined ? undefined : tables.branches.get({ id: operation.branch_id });
  if (branch && target !== undefined) {
    const { pending_state: _given, ...rest } = branch;
    tables.branches.put(rest);
  }
  const back = { deleted_at: null, deletion_id: null } as const;
  const mine = { deletion_id: operation.id };
  for (const row of tables.endpoints.list(mine)) tables.endpoints.put({ ...row, ...back });
  for (const row of tables.branches.list(mine)) {
    tables.branches.put({ ...row, ...back, recoverable_until: null, deletion_method: null });
  }
}

function completeDeletions({ tables }: ControlPlane, operationId: string): void {
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
  const { pending_state: reached, ...rest } = branch;
  plane.tables.branches.put({
    ...rest,
    ...(reached === undefined || reached === state ? {} : { pending_state: reached }),
    current_state: state,
    state_changed_at: stamp,
    updated_at: stamp,
    logical_size: branch.logical_size ?? freshDatabaseBytes,
  });
}

/** What an empty Postgres database takes. */
const freshDatabaseBytes = 30_785_536;
