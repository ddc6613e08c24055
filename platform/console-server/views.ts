import { progressOf } from "../../api/operations/status";
import { listAllKeys } from "../model/accounts/all-keys";
import { listMembers } from "../model/accounts/organization";
import type { ControlPlane } from "../model/control-plane";
import { isAddress } from "../model/databases";
import { isLocked } from "../model/operations/project-lock";
import type { OrganizationRow } from "../model/accounts/organization-row";
import type { BackupRow } from "../model/branches/backup-schedule";
import type { BranchRow } from "../model/branches/branch-row";
import type { SnapshotRow } from "../model/branches/snapshot-row";
import type { EndpointRow } from "../model/computes/endpoint-row";
import type { OperationRow } from "../model/operations/operation";
import type { ProjectRow } from "../model/projects/project-row";
import type { Processes } from "../model/status";
import type { LoggedRequest } from "../http/request-log";
import type {
  BranchDetail,
  BranchView,
  ComputeView,
  KeyView,
  OperationLabel,
  OperationView,
  OrganizationView,
  ProjectView,
  RequestView,
  SnapshotView,
} from "./protocol";

export const millisecondsOf = (timestamp: string): number => Date.parse(timestamp);
export const timeOf = (timestamp: string | null | undefined): number | undefined =>
  timestamp === null || timestamp === undefined ? undefined : millisecondsOf(timestamp);

/** The label of an operation's status in the console. */
function statusLabel(status: string): OperationLabel {
  const progress = progressOf(status);
  if (progress === "success") return "OK";
  if (progress === "failure" || progress === "retryable") return "Error";
  return status === "scheduling" ? "Scheduling" : "In progress";
}

/** The state of a branch or a compute. The API does not say that the first operation has failed: it reports "init" forever. */
function stateOf(
  { current_state: state, pending_state: pending }: Pick<BranchRow | EndpointRow, "current_state" | "pending_state">,
  failure: string,
): { readonly state: string; readonly pending: string | undefined } {
  return { state: state === "init" && pending === undefined ? failure : state, pending };
}

export function projectView(controlPlane: ControlPlane, row: ProjectRow): ProjectView {
  const { tables } = controlPlane;
  const { id } = row;
  const owner = row.org_id === undefined ? undefined : tables.organizations.get({ id: row.org_id });
  return {
    id,
    name: row.name,
    region: row.region_id,
    postgres: row.pg_version,
    owner: owner?.name ?? tables.users.get({ id: row.owner_id })?.email ?? row.owner_id,
    branches: tables.branches.count({ project_id: id, deleted_at: null }),
    activeComputes: tables.endpoints.count({ project_id: id, deleted_at: null, current_state: "active" }),
    createdAt: millisecondsOf(row.created_at),
    isLocked: isLocked(controlPlane, id),
    historySeconds: row.history_retention_seconds,
  };
}

export function branchView(row: BranchRow, computes: readonly ComputeView[]): BranchView {
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    parentId: row.parent_id,
    isDefault: row.default,
    isProtected: row.protected,
    ...stateOf(row, "creation failed"),
    createdAt: millisecondsOf(row.created_at),
    expiresAt: timeOf(row.expires_at),
    bytes: row.logical_size,
    source: row.init_source,
    computes,
    canConnect: computes.some(({ type, host }) => type === "read_write" && isAddress(host)),
  };
}

export function computeView(row: EndpointRow, processes: Processes | undefined): ComputeView {
  const [from, to] = [row.autoscaling_limit_min_cu, row.autoscaling_limit_max_cu];
  return {
    id: row.id,
    type: row.type,
    ...stateOf(row, "start failed"),
    host: row.host,
    size: from === to ? `${from} CU` : `${from}–${to} CU`,
    lastActiveAt: timeOf(row.last_active),
    pid: processes?.pidOf(row.id),
  };
}

export function operationView({ tables }: ControlPlane, row: OperationRow): OperationView {
  return {
    id: row.id,
    projectId: row.project_id,
    project: tables.projects.get({ id: row.project_id })?.name ?? row.project_id,
    branchId: row.branch_id,
    branch:
      row.branch_id === undefined ? undefined : (tables.branches.get({ id: row.branch_id })?.name ?? row.branch_id),
    computeId: row.endpoint_id,
    action: row.action,
    status: row.status,
    label: statusLabel(row.status),
    error: row.error,
    createdAt: millisecondsOf(row.created_at),
    startedAt: row.started_at ?? undefined,
    milliseconds: row.total_duration_ms,
    isEnded: row.ended,
  };
}

export function branchDetail({ tables }: ControlPlane, { id }: BranchRow): BranchDetail {
  const live = { branch_id: id, deleted_at: null } as const;
  const schedule = tables.backupSchedules.get({ branch_id: id })?.schedule ?? [];
  return {
    id,
    roles: tables.roles.list(live, "ORDER BY created_at").map(({ name, password, protected: isProtected }) => ({
      name,
      hasPassword: password !== undefined,
      isProtected,
    })),
    databases: tables.databases
      .list(live, "ORDER BY created_at, id")
      .map(({ name, owner_name: owner }) => ({ name, owner })),
    snapshots: tables.snapshots
      .list({ deleted_at: null }, "AND body ->> '$.source_branch_id' = ? ORDER BY created_at DESC", id)
      .map(snapshotView),
    schedule: schedule.map(backupText),
    services: {
      functions: tables.functions.count({ branch_id: id }),
      triggers: tables.triggers.count({ branch_id: id }),
      buckets: tables.buckets.count({ branch_id: id }),
    },
  };
}

function snapshotView(row: SnapshotRow): SnapshotView {
  return {
    id: row.id,
    name: row.name,
    createdAt: millisecondsOf(row.created_at),
    expiresAt: timeOf(row.expires_at),
    isManual: row.manual,
  };
}

function backupText(backup: BackupRow): string {
  const { frequency, ...rest } = backup;
  const details = Object.entries(rest).map(([name, value]) => `${name.replaceAll("_", " ")} ${String(value)}`);
  return [frequency, ...details].join(", ");
}

export function keyViews(controlPlane: ControlPlane): KeyView[] {
  return listAllKeys(controlPlane).map(({ createdAt, lastUsedAt, ...key }) => ({
    ...key,
    project: key.project,
    createdAt: millisecondsOf(createdAt),
    lastUsedAt: timeOf(lastUsedAt),
  }));
}

export function organizationView(controlPlane: ControlPlane, row: OrganizationRow): OrganizationView {
  const { tables } = controlPlane;
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    projects: tables.projects.count({ deleted_at: null }, "AND body ->> '$.org_id' = ?", row.id),
    projectsLimit: row.projects_limit,
    members: listMembers(controlPlane, row.id).map(({ user_id: id, role }) => ({
      email: tables.users.get({ id })?.email ?? id,
      role: role === "admin" ? "administrator" : "member",
    })),
  };
}

export function requestView(entry: LoggedRequest): RequestView {
  return {
    number: entry.number,
    time: millisecondsOf(entry.time),
    method: entry.method,
    path: entry.path,
    status: entry.status ?? undefined,
    milliseconds: entry.milliseconds ?? undefined,
    requestId: entry.requestId,
    agent: entry.userAgent,
    body: entry.body === undefined ? undefined : JSON.stringify(entry.body),
  };
}
