import type { ProjectCreate, ProjectUpdate } from "../../api/schemas/project";
import { badRequest, unprocessable } from "../http-error";
import { newId } from "../storage/ids";
import { revokeKeysOfProject } from "./api-key";
import { nextCheck } from "./availability";
import { type CreatedBranch, firstBranch, purgeBranch, recoveryMs } from "./branch";
import type { ControlPlane } from "./control-plane";
import { createDatabase } from "./database";
import { addEndpoint, endpointsOfProject } from "./endpoint";
import { begin, type Plan } from "./operation";
import { type Owner, ownerAnswer, ownerOf, requireRoomForProject } from "./owner";
import { computeActionFor, defaultSettings, mergedSettings } from "./project-settings";
import { foreseeQuota } from "./quota";
import { defaultRegionId, platformOf, proxyHostOf, regions } from "./region";
import { checkNameLength, checkRoleName, createRole } from "./role";
import type { Author, BranchRow, DefaultEndpointSettings, OperationRow, ProjectRow } from "./rows";
import { checkProvisioner, defaultProvisioner, sizingOver } from "./sizing";

export interface ProjectChange {
  readonly project: ProjectRow;
  readonly operations: readonly OperationRow[];
}

const defaultPgVersion = 17;
const newestPgVersion = 18;
const defaultRetentionSeconds = 86_400;
const logicalSizeLimitMebibytes = 16_777_216;
const defaultSizing = { autoscaling_limit_min_cu: 0.25, autoscaling_limit_max_cu: 2, suspend_timeout_seconds: 0 };

/** Makes a project with its first branch, compute, role and database. */
export function createProject(
  plane: ControlPlane,
  owner: Owner,
  author: Author,
  asked: ProjectCreate,
): CreatedBranch & { project: ProjectRow } {
  const { tables, stamps } = plane;
  const regionId = asked.region_id ?? defaultRegionId;
  if (!regions.some(({ region_id }) => region_id === regionId)) throw badRequest(`region "${regionId}" is unknown`);
  if ((asked.pg_version ?? defaultPgVersion) > newestPgVersion) {
    throw badRequest(`pg_version ${String(asked.pg_version)} is not supported; the newest is ${newestPgVersion}`);
  }
  checkProvisioner(asked.provisioner);
  requireRoomForProject(plane, owner);
  const databaseName = asked.branch?.database_name ?? "neondb";
  const roleName = asked.branch?.role_name ?? `${databaseName}_owner`;
  checkNameLength("database", databaseName);
  checkRoleName(roleName);

  const id = newId.project();
  const stamp = stamps.next();
  const project: ProjectRow = {
    id,
    owner_id: owner.id,
    ...(owner.organization && { org_id: owner.organization.id }),
    name: asked.name ?? id,
    platform_id: platformOf(regionId),
    region_id: regionId,
    provisioner: asked.provisioner ?? defaultProvisioner,
    pg_version: asked.pg_version ?? defaultPgVersion,
    proxy_host: proxyHostOf(regionId),
    store_passwords: asked.store_passwords ?? true,
    history_retention_seconds: asked.history_retention_seconds ?? defaultRetentionSeconds,
    default_endpoint_settings: endpointDefaults(
      { ...defaultSizing, ...topLevelSizing(asked) },
      asked.default_endpoint_settings ?? {},
    ),
    settings: mergedSettings(defaultSettings, asked.settings ?? {}, owner),
    creation_source: "console",
    created_at: stamp,
    updated_at: stamp,
    compute_time_seconds: 0,
    active_time_seconds: 0,
    deleted_at: null,
    recoverable_until: null,
    check_at: nextCheck(plane),
    quota_at: null,
  };
  tables.projects.put(project);
  const branch = firstBranch(plane, project, author, asked.branch ?? {});
  const { endpoint, plans } = addEndpoint(plane, project, branch, { type: "read_write" });
  const role = createRole(plane, branch, { name: roleName }, project.store_passwords);
  const database = createDatabase(plane, branch, databaseName, roleName);
  const operations = begin(plane, id, [{ action: "create_timeline", branchId: branch.id }, ...plans]);
  const endpoints = endpointsOfProject(plane, endpoint.project_id);
  return { project, branch, endpoints, roles: [role], databases: [database], operations };
}

/** Changes a project in place. */
export function updateProject(plane: ControlPlane, project: ProjectRow, asked: ProjectUpdate): ProjectChange {
  const { tables } = plane;
  const changed: ProjectRow = {
    ...project,
    name: asked.name ?? project.name,
    history_retention_seconds: asked.history_retention_seconds ?? project.history_retention_seconds,
    default_endpoint_settings: endpointDefaults(
      project.default_endpoint_settings,
      asked.default_endpoint_settings ?? {},
    ),
    settings: mergedSettings(project.settings, asked.settings ?? {}, ownerOf(plane, project)),
  };
  if (JSON.stringify(changed) === JSON.stringify(project)) return { project, operations: [] };
  tables.projects.put({ ...changed, updated_at: plane.stamps.next() });
  const operations = begin(plane, project.id, plansFor(plane, project, changed));
  foreseeQuota(plane, project.id, plane.clock.now());
  return { project: tables.projects.get({ id: project.id }) ?? changed, operations };
}

/** Deletes a project and everything in it; it can be recovered for some days. */
export function deleteProject(plane: ControlPlane, project: ProjectRow): ProjectRow {
  const { tables, clock } = plane;
  if (tables.branches.get({ project_id: project.id, protected: 1, deleted_at: null })) {
    throw unprocessable("cannot delete a project that has a protected branch; unprotect it first");
  }
  for (const endpoint of tables.endpoints.list({ project_id: project.id })) {
    tables.endpoints.put({ ...endpoint, idle_at: null });
  }
  tables.projects.put({
    ...project,
    deleted_at: plane.stamps.next(),
    recoverable_until: new Date(clock.now() + recoveryMs).toISOString(),
    check_at: null,
    quota_at: null,
  });
  return project;
}

/** Brings a deleted project back, with its computes suspended. */
export function recoverProject(
  plane: ControlPlane,
  deleted: ProjectRow,
): { project: ProjectRow; branches: BranchRow[] } {
  const { tables } = plane;
  const { id: projectId } = deleted;
  if (deleted.deleted_at === null) throw unprocessable("project is not deleted");
  for (const endpoint of endpointsOfProject(plane, projectId)) {
    if (endpoint.current_state === "active") tables.endpoints.put({ ...endpoint, current_state: "idle" });
  }
  const project: ProjectRow = {
    ...deleted,
    deleted_at: null,
    recoverable_until: null,
    check_at: nextCheck(plane),
    updated_at: plane.stamps.next(),
  };
  tables.projects.put(project);
  const branches = tables.branches.list({ project_id: projectId, deleted_at: null }, "ORDER BY created_at");
  return { project, branches };
}

/** Removes every trace of a project. */
export function purgeProject(plane: ControlPlane, projectId: string): void {
  const { tables } = plane;
  for (const { id } of tables.branches.list({ project_id: projectId })) purgeBranch(plane, id);
  for (const table of [tables.snapshots, tables.backupSchedules, tables.jwks]) table.remove({ project_id: projectId });
  for (const table of [tables.permissions, tables.transferRequests, tables.vpcRestrictions]) {
    table.remove({ project_id: projectId });
  }
  revokeKeysOfProject(plane, projectId);
  tables.operations.remove({ project_id: projectId });
  tables.projects.remove({ id: projectId });
}

/** A project as the answer to get tells it: with its owner and what it has used. */
export function projectAnswer(plane: ControlPlane, project: ProjectRow): object {
  const now = new Date(plane.clock.now());
  const monthFrom = (offset: number): string =>
    wholeMonth(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1));
  return {
    ...shown(project),
    history_retention_seconds: project.history_retention_seconds,
    data_storage_bytes_hour: 0,
    data_transfer_bytes: 0,
    written_data_bytes: 0,
    compute_time_seconds: project.compute_time_seconds,
    active_time_seconds: project.active_time_seconds,
    consumption_period_start: monthFrom(0),
    consumption_period_end: monthFrom(1),
    owner: ownerAnswer(plane, ownerOf(plane, project)),
  };
}

/** A project as the list tells it. */
export function projectEntry({ tables }: ControlPlane, project: ProjectRow): object {
  const { deleted_at, recoverable_until, org_id } = project;
  const organization = org_id === undefined ? undefined : tables.organizations.get({ id: org_id });
  return {
    ...shown(project),
    ...(organization && { org_name: organization.name }),
    active_time: project.active_time_seconds,
    ...(deleted_at !== null && { deleted_at, recoverable_until }),
  };
}

function shown(project: ProjectRow): object {
  const {
    history_retention_seconds: _retention,
    compute_time_seconds: computeTime,
    active_time_seconds: _active,
    deleted_at: _deleted,
    recoverable_until: _until,
    check_at: _check,
    quota_at: _quota,
    integrations: _integrations,
    ...rest
  } = project;
  return {
    ...rest,
    locked: false,
    cpu_used_sec: computeTime,
    branch_logical_size_limit: logicalSizeLimitMebibytes,
    branch_logical_size_limit_bytes: logicalSizeLimitMebibytes * 2 ** 20,
  };
}

function plansFor(plane: ControlPlane, before: ProjectRow, after: ProjectRow): Plan[] {
  const action = computeActionFor(before.settings, after.settings);
  const active = endpointsOfProject(plane, after.id).filter(({ current_state: state }) => state === "active");
  const keepsLonger = before.history_retention_seconds !== after.history_retention_seconds;
  return [
    ...(keepsLonger ? [{ action: "apply_storage_config" }] : []),
    ...(action === undefined
      ? []
      : active.map(({ id, branch_id }) => ({ action, branchId: branch_id, endpointId: id }))),
  ];
}

function endpointDefaults(
  present: DefaultEndpointSettings,
  asked: NonNullable<ProjectCreate["default_endpoint_settings"]>,
): DefaultEndpointSettings {
  const { pg_settings = present.pg_settings, pgbouncer_settings = present.pgbouncer_settings } = asked;
  return {
    ...(pg_settings && { pg_settings }),
    ...(pgbouncer_settings && { pgbouncer_settings }),
    ...sizingOver(present, asked),
  };
}

/** The older way to say a project's sizes. */
function topLevelSizing(asked: ProjectCreate): Partial<DefaultEndpointSettings> {
  const { autoscaling_limit_min_cu: min, autoscaling_limit_max_cu: max } = asked;
  return {
    ...(min !== undefined && { autoscaling_limit_min_cu: min }),
    ...(max !== undefined && { autoscaling_limit_max_cu: max }),
  };
}

function wholeMonth(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(".000Z", "Z");
}
