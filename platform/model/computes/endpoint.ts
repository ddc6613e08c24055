import type { BranchEndpointCreate, EndpointCreate, EndpointUpdate } from "../../../api/schemas/endpoint";
import { badRequest, locked, unprocessable } from "../../http-error";
import { newId } from "../../storage/ids";
import { limits } from "../accounts/limits";
import { limitsOf } from "../accounts/owner";
import { isReady, requireReady } from "../branches/branch-state";
import { requireUnrestricted } from "../branches/masking-state";
import type { Answer, vendor } from "../../published/answers";
import { pick } from "../../storage/timestamps";
import type { ControlPlane } from "../control-plane";
import type { OperationAction } from "../operations/actions";
import { deleteAfter } from "../operations/effects";
import { startOperations } from "../operations/lifecycle";
import type { PlannedOperation, Started } from "../operations/operation";
import { requireUnlockedProject } from "../operations/project-lock";
import type { BranchRow } from "../branches/branch-row";
import type { Complete } from "../complete";
import type { ProjectRow } from "../projects/project-row";
import { endpointMembers, type EndpointRow } from "./endpoint-row";
import { autosuspendAt } from "./activity";
import { newHost } from "./host";
import { requireRemainingQuota } from "./quota";
import { checkProvisioner, withSizing } from "./sizing";

export function createEndpoint(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  input: EndpointCreate,
): Started<{ endpoint: EndpointRow }> {
  if (input.region_id !== undefined && input.region_id !== project.region_id) {
    throw badRequest(`region_id must be the project's own: ${project.region_id}`);
  }
  // A branch that is being created or restored gives a 423. If its creation or restore has failed, a 422.
  if (!isReady(branch)) requireUnlockedProject(controlPlane, project.id);
  requireReady(branch);
  const { endpoint, planned } = insertEndpoint(controlPlane, project, branch, input);
  const unarchive = planned.length === 0 ? [] : unarchiveBranch(controlPlane, endpoint);
  return startOn(controlPlane, endpoint, [...unarchive, ...planned]);
}

/** Adds a compute to a branch. The caller starts the planned operations. */
export function insertEndpoint(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  input: BranchEndpointCreate | EndpointCreate,
): { endpoint: EndpointRow; planned: readonly PlannedOperation[] } {
  checkProvisioner(input.provisioner);
  if (input.settings && input.settings.pg_settings === undefined) throw badRequest("settings must not be nil");
  if (input.type === "read_write") requireNoReadWriteEndpoint(controlPlane, branch.id);
  const sizing = withSizing(limitsOf(controlPlane, project), project.default_endpoint_settings, input);
  const { pg_settings, pgbouncer_settings } = project.default_endpoint_settings;
  const options = "branch_id" in input ? input : undefined;
  const disabled = options?.disabled ?? false;
  const isStarted = !disabled && input.type === "read_write";
  const id = newId.endpoint();
  const endpoint: EndpointRow = {
    id,
    project_id: project.id,
    branch_id: branch.id,
    name: options?.name,
    type: input.type,
    host: newHost(controlPlane) ?? `${id}.${project.proxy_host}`,
    proxy_host: project.proxy_host,
    region_id: project.region_id,
    provisioner: input.provisioner ?? project.provisioner,
    ...sizing,
    settings: {
      ...(pg_settings && { pg_settings }),
      ...(pgbouncer_settings && { pgbouncer_settings }),
      ...input.settings,
    },
    pooler_enabled: options?.pooler_enabled ?? false,
    pooler_mode: options?.pooler_mode ?? "transaction",
    disabled,
    passwordless_access: options?.passwordless_access ?? true,
    // A disabled compute is never started. A replica starts with its first connection.
    current_state: isStarted ? "init" : "idle",
    creation_source: "console",
    ...controlPlane.timestamps.created(),
    idle_at: null,
    deleted_at: null,
    deletion_id: null,
  };
  controlPlane.tables.endpoints.put(endpoint);
  if (!isStarted) return { endpoint, planned: [] };
  requireRemainingQuota(controlPlane, project);
  checkActiveComputeLimit(controlPlane, endpoint);
  return { endpoint, planned: [startCompute(endpoint)] };
}

/** Changes a compute. An active compute applies the new configuration in an operation, an idle compute at its next start. */
export function updateEndpoint(
  controlPlane: ControlPlane,
  project: ProjectRow,
  endpoint: EndpointRow,
  input: EndpointUpdate,
): Started<{ endpoint: EndpointRow }> {
  const { branch_id: branchId, name, settings, ...configuration } = input;
  checkProvisioner(input.provisioner);
  if (branchId !== undefined && branchId !== endpoint.branch_id) requireMovable(controlPlane, endpoint, branchId);
  const configured: EndpointRow = {
    ...endpoint,
    ...withoutUndefined(configuration),
    ...withSizing(limitsOf(controlPlane, project), endpoint, input),
    branch_id: branchId ?? endpoint.branch_id,
    settings: { ...endpoint.settings, ...withoutUndefined(settings ?? {}) },
  };
  const changed = name === undefined ? configured : { ...configured, name };
  if (isEqual(changed, endpoint)) return { endpoint, operations: [] };
  const lastActive = endpoint.last_active === undefined ? controlPlane.clock.now() : Date.parse(endpoint.last_active);
  controlPlane.tables.endpoints.put({
    ...changed,
    updated_at: controlPlane.timestamps.next(),
    idle_at: isActive(endpoint) ? autosuspendAt(changed, lastActive) : null,
  });
  const isReconfigured = !isEqual(configured, endpoint);
  // A compute that is starting has already read its configuration, so the change has to wait.
  if (isReconfigured && endpoint.pending_state !== undefined) requireUnlockedProject(controlPlane, endpoint.project_id);
  return startOn(controlPlane, endpoint, isActive(endpoint) && isReconfigured ? [configureCompute(changed)] : []);
}

export function deleteEndpoint(controlPlane: ControlPlane, endpoint: EndpointRow): Started<{ endpoint: EndpointRow }> {
  const { branches, endpoints } = controlPlane.tables;
  const branch = branches.get({ id: endpoint.branch_id });
  if (branch?.protected === true) throw unprocessable("the compute of a protected branch cannot be deleted");
  if (branch && endpoint.type === "read_write") requireUnrestricted(branch, "delete-rw-endpoint");
  if (!isActive(endpoint)) {
    requireNoPendingState(endpoint, "delete");
    endpoints.remove(endpoint);
    return { endpoint, operations: [] };
  }
  const suspending = startOn(controlPlane, endpoint, [suspendCompute(endpoint)]);
  deleteAfter(controlPlane, endpoints, suspending.endpoint, suspending.operations[0]);
  return suspending;
}

/** The operations of the three actions, depending on the state of the compute. */
const computeActions = {
  start: (controlPlane: ControlPlane, project: ProjectRow, endpoint: EndpointRow): readonly PlannedOperation[] => {
    requireEnabled(endpoint);
    requireNoPendingState(endpoint, "start");
    if (isActive(endpoint)) return [];
    requireRemainingQuota(controlPlane, project);
    checkActiveComputeLimit(controlPlane, endpoint);
    return [...unarchiveBranch(controlPlane, endpoint), startCompute(endpoint)];
  },
  suspend: (_controlPlane: ControlPlane, _project: ProjectRow, endpoint: EndpointRow): readonly PlannedOperation[] => {
    requireNoPendingState(endpoint, "suspend");
    return isActive(endpoint) ? [suspendCompute(endpoint)] : [];
  },
  restart: (controlPlane: ControlPlane, project: ProjectRow, endpoint: EndpointRow): readonly PlannedOperation[] => {
    requireEnabled(endpoint);
    requireRemainingQuota(controlPlane, project);
    if (!isActive(endpoint)) checkActiveComputeLimit(controlPlane, endpoint);
    const suspend = isActive(endpoint) ? [suspendCompute(endpoint)] : [];
    return [...unarchiveBranch(controlPlane, endpoint), ...suspend, startCompute(endpoint)];
  },
} as const;

export type ComputeAction = keyof typeof computeActions;

export function runComputeAction(
  controlPlane: ControlPlane,
  project: ProjectRow,
  endpoint: EndpointRow,
  action: ComputeAction,
  options: Pick<PlannedOperation, "isImmediate"> = {},
): Started<{ endpoint: EndpointRow }> {
  const planned = computeActions[action](controlPlane, project, endpoint);
  return startOn(
    controlPlane,
    endpoint,
    planned.map((operation) => ({ ...operation, ...options })),
  );
}

/** Starts operations on a compute, and returns it in the state that they give it. */
function startOn(
  controlPlane: ControlPlane,
  { id, project_id: projectId }: EndpointRow,
  planned: readonly PlannedOperation[],
): Started<{ endpoint: EndpointRow }> {
  const operations = startOperations(controlPlane, projectId, planned);
  return { endpoint: getEndpoint(controlPlane, projectId, id), operations };
}

export const startCompute = (endpoint: EndpointRow): PlannedOperation => operationOn(endpoint, "start_compute");
export const suspendCompute = (endpoint: EndpointRow): PlannedOperation => operationOn(endpoint, "suspend_compute");

export function operationOn({ id, branch_id: branchId }: EndpointRow, action: OperationAction): PlannedOperation {
  return { action, branchId, endpointId: id };
}

/** The operation that an archived branch needs before a compute can run on it. */
export function unarchiveBranch({ tables }: ControlPlane, { branch_id: branchId }: EndpointRow): PlannedOperation[] {
  const isArchived = tables.branches.get({ id: branchId })?.current_state === "archived";
  return isArchived ? [{ action: "timeline_unarchive", branchId }] : [];
}

/** @throws HttpError 404 */
export function getEndpoint({ tables }: ControlPlane, projectId: string, endpointId: string): EndpointRow {
  return tables.endpoints.getOr404("endpoint", { id: endpointId, project_id: projectId, deleted_at: null });
}

/** The read-write compute of a branch, which has at most one. */
export function findReadWriteEndpoint({ tables }: ControlPlane, branchId: string): EndpointRow | undefined {
  return tables.endpoints.get({ branch_id: branchId, type: "read_write", deleted_at: null });
}

export function listBranchEndpoints({ tables }: ControlPlane, branchId: string): EndpointRow[] {
  return tables.endpoints.list({ branch_id: branchId, deleted_at: null }, "ORDER BY created_at");
}

export function listProjectEndpoints({ tables }: ControlPlane, projectId: string): EndpointRow[] {
  return tables.endpoints.list({ project_id: projectId, deleted_at: null }, "ORDER BY created_at");
}

export function isActive({ current_state: state }: EndpointRow): boolean {
  return state === "active";
}

/** Members of a compute that the real service returns and its documents do not name. */
interface Observed {
  slug: string;
  project_slug: string;
  branch_slug: string;
  hosts: { host: string };
  group: { min: number; max: number };
}

export function endpointResponse(row: EndpointRow) {
  const { id, project_id, branch_id, host, settings, current_state: state, started_at: startedAt } = row;
  return {
    ...pick(row, endpointMembers),
    // Settings that were not declared appear with the first start.
    settings: state === "init" ? settings : { pg_settings: {}, ...settings },
    slug: id,
    project_slug: project_id,
    branch_slug: branch_id,
    hosts: { host },
    group: { min: 1, max: 1 },
    ...(startedAt !== undefined && { compute_release_version: computeRelease }),
  } satisfies Answer<vendor.Endpoint & Observed>;
}

/** The version of the software of computes, which the real platform numbers. */
const computeRelease = "0";

function configureCompute(endpoint: EndpointRow): PlannedOperation {
  return endpoint.disabled ? suspendCompute(endpoint) : operationOn(endpoint, "apply_config");
}

function requireMovable(controlPlane: ControlPlane, endpoint: EndpointRow, branchId: string): void {
  const { branches } = controlPlane.tables;
  branches.getOr404("branch", { id: branchId, project_id: endpoint.project_id, deleted_at: null });
  if (endpoint.type === "read_write") requireNoReadWriteEndpoint(controlPlane, branchId);
}

function requireNoReadWriteEndpoint(controlPlane: ControlPlane, branchId: string): void {
  if (findReadWriteEndpoint(controlPlane, branchId)) {
    throw unprocessable("read_write endpoint already exists", "ENDPOINTS_LIMIT_EXCEEDED");
  }
  // A failed deletion makes the compute visible again.
  const readWrite = { branch_id: branchId, type: "read_write" } as const;
  if (controlPlane.tables.endpoints.list(readWrite, "AND deletion_id IS NOT NULL LIMIT 1").length > 0) {
    throw locked("the branch's read-write endpoint is still being deleted");
  }
}

/** Enforces the limit of active computes, if the `computeLimit` option is set. */
function checkActiveComputeLimit({ tables, computeLimit }: ControlPlane, { id, project_id }: EndpointRow): void {
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

/** @throws HttpError 423 while an operation changes the state of the compute. */
function requireNoPendingState(endpoint: EndpointRow, action: string): void {
  if (endpoint.pending_state !== undefined) {
    throw locked(`endpoint is in some transitive state, could not ${action}`);
  }
}

function requireEnabled(endpoint: EndpointRow): void {
  if (endpoint.disabled) throw unprocessable("endpoint is disabled, could not start; enable it first");
}

function withoutUndefined<Members extends object>(members: Members): Partial<Complete<Members>> {
  const defined = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as Partial<Complete<Members>>;
}

/** Compares two rows. Both derive from the same one, so their members have the same order. */
function isEqual(one: EndpointRow, other: EndpointRow): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
