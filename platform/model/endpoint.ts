import type { BranchEndpointCreate, EndpointCreate, EndpointUpdate } from "../../api/schemas/endpoint";
import { badRequest, conflict, locked, notFound, unprocessable } from "../http-error";
import { newId } from "../storage/ids";
import { idleAt } from "./activity";
import type { ControlPlane } from "./control-plane";
import { begin, type Plan, requireFree } from "./operation";
import { requireQuota } from "./quota";
import type { BranchRow, EndpointRow, OperationRow, ProjectRow } from "./rows";
import { checkProvisioner, sizingOver } from "./sizing";
import { limits } from "./user";

/** What a change to an object answers: the object as asked for, and the operations that bring it about. */
export interface EndpointChange {
  readonly endpoint: EndpointRow;
  readonly operations: readonly OperationRow[];
}

/** Puts a compute in front of a branch; its operations are for the caller to begin. */
export function addEndpoint(
  plane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  asked: BranchEndpointCreate | EndpointCreate,
): { endpoint: EndpointRow; plans: readonly Plan[] } {
  checkProvisioner(asked.provisioner);
  if (asked.settings && asked.settings.pg_settings === undefined) throw badRequest("settings must not be nil");
  if (asked.type === "read_write") requireNoReadWrite(plane, branch.id);
  const sizing = sizingOver(project.default_endpoint_settings, asked);
  const { pg_settings, pgbouncer_settings } = project.default_endpoint_settings;
  const more = "branch_id" in asked ? asked : undefined;
  const disabled = more?.disabled ?? false;
  const id = newId.endpoint();
  const stamp = plane.stamps.next();
  const endpoint: EndpointRow = {
    id,
    project_id: project.id,
    branch_id: branch.id,
    ...(more?.name === undefined ? {} : { name: more.name }),
    type: asked.type,
    host: `${id}.${project.proxy_host}`,
    proxy_host: project.proxy_host,
    region_id: project.region_id,
    provisioner: asked.provisioner ?? project.provisioner,
    ...sizing,
    settings: {
      ...(pg_settings && { pg_settings }),
      ...(pgbouncer_settings && { pgbouncer_settings }),
      ...asked.settings,
    },
    pooler_enabled: more?.pooler_enabled ?? false,
    pooler_mode: more?.pooler_mode ?? "transaction",
    disabled,
    passwordless_access: more?.passwordless_access ?? true,
    // A disabled compute is never started, so it rests from the beginning.
    current_state: disabled ? "idle" : "init",
    creation_source: "console",
    created_at: stamp,
    updated_at: stamp,
    idle_at: null,
    deleted_at: null,
    deletion_id: null,
  };
  plane.tables.endpoints.put(endpoint);
  if (disabled) return { endpoint, plans: [] };
  requireQuota(plane, project);
  requireRoomToStart(plane, endpoint);
  return { endpoint, plans: [startPlan(endpoint)] };
}

/** Changes a compute. An active one gets its new configuration by an operation, an idle one when it starts. */
export function updateEndpoint(plane: ControlPlane, endpoint: EndpointRow, asked: EndpointUpdate): EndpointChange {
  const { branch_id: branchId, name, settings, ...rest } = asked;
  checkProvisioner(asked.provisioner);
  if (branchId !== undefined && branchId !== endpoint.branch_id) moveTo(plane, endpoint, branchId);
  const { autoscaling_limit_min_cu: _min, autoscaling_limit_max_cu: _max, suspend_timeout_seconds: _, ...flags } = rest;
  const changed: EndpointRow = {
    ...endpoint,
    ...definedMembers(flags),
    ...sizingOver(endpoint, asked),
    ...(branchId === undefined ? {} : { branch_id: branchId }),
    settings: { ...endpoint.settings, ...definedMembers(settings ?? {}) },
  };
  const named = name === undefined ? changed : { ...changed, name };
  if (isSame(named, endpoint)) return { endpoint, operations: [] };
  const lastActive = endpoint.last_active === undefined ? plane.clock.now() : Date.parse(endpoint.last_active);
  const isActive = endpoint.current_state === "active";
  plane.tables.endpoints.put({
    ...named,
    updated_at: plane.stamps.next(),
    idle_at: isActive ? idleAt(named, lastActive) : null,
  });
  const isReconfigured = !isSame(changed, endpoint);
  // What it starts with is settled already.
  if (isReconfigured && endpoint.pending_state !== undefined) requireFree(plane, endpoint.project_id);
  const operations = isActive && isReconfigured ? begin(plane, endpoint.project_id, [planFor(named)]) : [];
  return { endpoint: endpointOf(plane, endpoint.project_id, endpoint.id), operations };
}

/** Takes a compute away from its branch. */
export function deleteEndpoint(plane: ControlPlane, endpoint: EndpointRow): EndpointChange {
  const branch = plane.tables.branches.get({ id: endpoint.branch_id });
  if (branch?.protected === true) throw unprocessable("the compute of a protected branch cannot be deleted");
  if (endpoint.current_state !== "active") {
    requireSettled(endpoint, "delete");
    plane.tables.endpoints.remove({ id: endpoint.id });
    return { endpoint, operations: [] };
  }
  const operations = begin(plane, endpoint.project_id, [suspendPlan(endpoint)]);
  const shown = endpointOf(plane, endpoint.project_id, endpoint.id);
  const deletion = { deleted_at: plane.stamps.next(), deletion_id: operations[0]?.id ?? null };
  plane.tables.endpoints.put({ ...shown, ...deletion });
  return { endpoint: shown, operations };
}

/** The operations of starting, suspending and restarting a compute, as it is now. */
export const actions = {
  start: (plane: ControlPlane, project: ProjectRow, endpoint: EndpointRow): readonly Plan[] => {
    requireEnabled(endpoint);
    requireSettled(endpoint, "start");
    if (endpoint.current_state === "active") return [];
    requireQuota(plane, project);
    requireRoomToStart(plane, endpoint);
    return [...wakeBranch(plane, endpoint), startPlan(endpoint)];
  },
  suspend: (_plane: ControlPlane, _project: ProjectRow, endpoint: EndpointRow): readonly Plan[] => {
    requireSettled(endpoint, "suspend");
    return endpoint.current_state === "active" ? [suspendPlan(endpoint)] : [];
  },
  restart: (plane: ControlPlane, project: ProjectRow, endpoint: EndpointRow): readonly Plan[] => {
    requireEnabled(endpoint);
    requireQuota(plane, project);
    const isActive = endpoint.current_state === "active";
    if (!isActive) requireRoomToStart(plane, endpoint);
    return [...wakeBranch(plane, endpoint), ...(isActive ? [suspendPlan(endpoint)] : []), startPlan(endpoint)];
  },
} as const;

/** Starts, suspends or restarts a compute. */
export function act(
  plane: ControlPlane,
  project: ProjectRow,
  endpoint: EndpointRow,
  action: keyof typeof actions,
): EndpointChange {
  const operations = begin(plane, project.id, actions[action](plane, project, endpoint));
  return { endpoint: endpointOf(plane, project.id, endpoint.id), operations };
}

export const startPlan = ({ id, branch_id }: EndpointRow): Plan => ({
  action: "start_compute",
  branchId: branch_id,
  endpointId: id,
});
export const suspendPlan = ({ id, branch_id }: EndpointRow): Plan => ({
  action: "suspend_compute",
  branchId: branch_id,
  endpointId: id,
});

/** What an archived branch needs before anything can run on it. */
export function wakeBranch({ tables }: ControlPlane, { branch_id: branchId }: Pick<EndpointRow, "branch_id">): Plan[] {
  const isArchived = tables.branches.get({ id: branchId })?.current_state === "archived";
  return isArchived ? [{ action: "timeline_unarchive", branchId }] : [];
}

export function endpointOf({ tables }: ControlPlane, projectId: string, endpointId: string): EndpointRow {
  const found = tables.endpoints.get({ id: endpointId, project_id: projectId, deleted_at: null });
  if (!found) throw notFound("endpoint");
  return found;
}

export function endpointsOfBranch({ tables }: ControlPlane, branchId: string): EndpointRow[] {
  return tables.endpoints.list({ branch_id: branchId, deleted_at: null }, "ORDER BY created_at");
}

export function endpointsOfProject({ tables }: ControlPlane, projectId: string): EndpointRow[] {
  return tables.endpoints.list({ project_id: projectId, deleted_at: null }, "ORDER BY created_at");
}

/** A compute as clients see it. */
export function endpointAnswer(row: EndpointRow): object {
  const { idle_at: _idle, deleted_at: _deleted, deletion_id: _deletion, ...shown } = row;
  return shown;
}

function planFor(endpoint: EndpointRow): Plan {
  const { id, branch_id } = endpoint;
  return endpoint.disabled ? suspendPlan(endpoint) : { action: "apply_config", branchId: branch_id, endpointId: id };
}

function moveTo(plane: ControlPlane, endpoint: EndpointRow, branchId: string): void {
  const target = plane.tables.branches.get({ id: branchId, project_id: endpoint.project_id, deleted_at: null });
  if (!target) throw notFound("branch");
  if (endpoint.type === "read_write") requireNoReadWrite(plane, branchId);
}

function requireNoReadWrite({ tables }: ControlPlane, branchId: string): void {
  const readWrite = { branch_id: branchId, type: "read_write" } as const;
  if (tables.endpoints.get({ ...readWrite, deleted_at: null })) {
    throw conflict("read-write endpoint already exists on this branch");
  }
  // One whose deletion is under way may come back.
  if (tables.endpoints.list(readWrite, "AND deletion_id IS NOT NULL LIMIT 1").length > 0) {
    throw locked("the branch's read-write endpoint is still being deleted");
  }
}

/** Refuses to start one compute more than may be active at the same time, if that is limited here. */
function requireRoomToStart({ tables, computeLimit }: ControlPlane, { id, project_id }: EndpointRow): void {
  if (!computeLimit) return;
  const others = tables.endpoints
    .list({ project_id, deleted_at: null })
    .filter((other) => other.id !== id && (other.pending_state ?? other.current_state) === "active");
  if (others.length >= limits.activeComputes) {
    throw unprocessable(
      `the limit of ${limits.activeComputes} computes active at the same time is reached; suspend one first`,
      "ACTIVE_ENDPOINTS_LIMIT_EXCEEDED",
    );
  }
}

function requireSettled(endpoint: EndpointRow, action: string): void {
  if (endpoint.pending_state !== undefined) {
    throw locked(`endpoint is in some transitive state, could not ${action}`);
  }
}

function requireEnabled(endpoint: EndpointRow): void {
  if (endpoint.disabled) throw unprocessable("endpoint is disabled, could not start; enable it first");
}

/** What a request really says: a member that is `undefined` is one that it leaves out. */
function definedMembers<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  const defined = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as ReturnType<typeof definedMembers<Members>>;
}

/** Both are made from the same object, so their members come in the same order. */
function isSame(one: EndpointRow, other: EndpointRow): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
