import type { ProjectCreate, ProjectUpdate } from "../../../api/schemas/project";
import { badRequest, unprocessable } from "../../http-error";
import { newId } from "../../storage/ids";
import { inWholeSeconds, pick, wholeSeconds } from "../../storage/timestamps";
import { revokeKeysOfProject } from "../accounts/api-key";
import { type PlanLimits, planLimits } from "../accounts/limits";
import { checkProjectLimit, getOwner, limitsOf, type Owner, ownerResponse } from "../accounts/owner";
import { type CreatedBranch, insertFirstBranch, recoveryMs } from "../branches/branch";
import { insertDatabase } from "../branches/database";
import { checkNameLength, checkRoleName, insertRole } from "../branches/role";
import { nextCheckAt } from "../computes/availability";
import { insertEndpoint, isActive, listProjectEndpoints, operationOn } from "../computes/endpoint";
import { updateQuotaDeadline } from "../computes/quota";
import { checkProvisioner, defaultProvisioner, withSizing } from "../computes/sizing";
import { purgeRows } from "../containment";
import type { Answer, vendor } from "../../published/answers";
import type { ControlPlane } from "../control-plane";
import { startOperations } from "../operations/lifecycle";
import type { PlannedOperation, Started } from "../operations/operation";
import type { Author } from "../accounts/user-row";
import type { BranchRow } from "../branches/branch-row";
import { type DefaultEndpointSettings, projectMembers, type ProjectRow } from "./project-row";
import {
  auditLogLevelOf,
  computeActionFor,
  defaultSettings,
  mergedSettings,
  type ProjectSettings,
} from "./project-settings";
import { defaultVersion, requireVersion } from "./postgres-version";
import { cloudProviderOf, defaultRegionId, proxyHostOf, regions } from "./region";

const defaultPgVersion = 17;
const newestPgVersion = 18;
const defaultRetentionSeconds = 86_400;
const defaultSizing = { autoscaling_limit_min_cu: 0.25, autoscaling_limit_max_cu: 2, suspend_timeout_seconds: 0 };

/** Creates a project with its first branch, compute, role and database. */
export function createProject(
  controlPlane: ControlPlane,
  owner: Owner,
  author: Author,
  input: ProjectCreate,
): CreatedBranch & { project: ProjectRow } {
  const { tables, timestamps } = controlPlane;
  const regionId = input.region_id ?? defaultRegionId;
  if (!regions.some(({ region_id }) => region_id === regionId)) throw badRequest(`region "${regionId}" is unknown`);
  if ((input.pg_version ?? defaultPgVersion) > newestPgVersion) {
    throw badRequest(`pg_version ${String(input.pg_version)} is not supported; the newest is ${newestPgVersion}`);
  }
  const pgVersion = input.pg_version ?? defaultVersion(controlPlane, defaultPgVersion);
  requireVersion(controlPlane, pgVersion);
  checkProvisioner(input.provisioner);
  checkProjectLimit(controlPlane, owner);
  const limits = planLimits[owner.plan];
  checkRetention(limits, input);
  const databaseName = input.branch?.database_name ?? "neondb";
  const roleName = input.branch?.role_name ?? `${databaseName}_owner`;
  checkNameLength("database", databaseName);
  checkRoleName(roleName);

  const id = newId.project();
  const project: ProjectRow = {
    id,
    owner_id: owner.id,
    org_id: owner.organization?.id,
    name: input.name ?? id,
    platform_id: cloudProviderOf(regionId),
    region_id: regionId,
    provisioner: input.provisioner ?? defaultProvisioner,
    pg_version: pgVersion,
    proxy_host: proxyHostOf(regionId),
    store_passwords: input.store_passwords ?? true,
    history_retention_seconds:
      input.history_retention_seconds ?? Math.min(defaultRetentionSeconds, limits.historyRetentionSeconds),
    default_endpoint_settings: endpointDefaults(limits, defaultSizing, {
      // The deprecated place of the sizing.
      autoscaling_limit_min_cu: input.autoscaling_limit_min_cu,
      autoscaling_limit_max_cu: input.autoscaling_limit_max_cu,
      ...input.default_endpoint_settings,
    }),
    settings: mergedSettings(defaultSettings, input.settings ?? {}, owner),
    ...(input.settings?.hipaa === true && { hipaa_enabled_at: timestamps.next() }),
    creation_source: "console",
    ...timestamps.created(),
    compute_time_seconds: 0,
    active_time_seconds: 0,
    deleted_at: null,
    recoverable_until: null,
    check_at: nextCheckAt(controlPlane),
    quota_at: null,
  };
  tables.projects.put(project);
  const branch = insertFirstBranch(controlPlane, project, author, input.branch ?? {});
  const { planned } = insertEndpoint(controlPlane, project, branch, { type: "read_write" });
  const role = insertRole(controlPlane, branch, { name: roleName }, project.store_passwords);
  const database = insertDatabase(controlPlane, branch, databaseName, roleName);
  const operations = startOperations(controlPlane, id, [
    { action: "create_timeline", branchId: branch.id },
    ...planned,
  ]);
  const endpoints = listProjectEndpoints(controlPlane, id);
  return { project, branch, endpoints, roles: [role], databases: [database], operations };
}

export function updateProject(
  controlPlane: ControlPlane,
  project: ProjectRow,
  input: ProjectUpdate,
): Started<{ project: ProjectRow }> {
  const { tables } = controlPlane;
  const owner = getOwner(controlPlane, project);
  const limits = planLimits[owner.plan];
  checkRetention(limits, input);
  const changed: ProjectRow = {
    ...project,
    name: input.name ?? project.name,
    history_retention_seconds: input.history_retention_seconds ?? project.history_retention_seconds,
    default_endpoint_settings: endpointDefaults(
      limits,
      project.default_endpoint_settings,
      input.default_endpoint_settings ?? {},
    ),
    settings: mergedSettings(project.settings, input.settings ?? {}, owner),
  };
  if (JSON.stringify(changed) === JSON.stringify(project)) return { project, operations: [] };
  const enablesHipaa = changed.settings.hipaa && !project.settings.hipaa;
  tables.projects.put({
    ...changed,
    ...(enablesHipaa && { hipaa_enabled_at: controlPlane.timestamps.next() }),
    updated_at: controlPlane.timestamps.next(),
  });
  const operations = startOperations(controlPlane, project.id, operationsForChange(controlPlane, project, changed));
  updateQuotaDeadline(controlPlane, project.id, controlPlane.clock.now());
  return { project: tables.projects.get({ id: project.id }) ?? changed, operations };
}

/** Deletes a project. It can be recovered for 7 days. */
export function deleteProject(controlPlane: ControlPlane, project: ProjectRow): void {
  const { tables, clock } = controlPlane;
  if (tables.branches.get({ project_id: project.id, protected: 1, deleted_at: null })) {
    throw unprocessable("cannot delete a project that has a protected branch; unprotect it first");
  }
  for (const endpoint of tables.endpoints.list({ project_id: project.id })) {
    tables.endpoints.put({ ...endpoint, idle_at: null });
  }
  tables.projects.put({
    ...project,
    deleted_at: controlPlane.timestamps.next(),
    recoverable_until: new Date(clock.now() + recoveryMs).toISOString(),
    check_at: null,
    quota_at: null,
  });
}

/** Recovers a deleted project. Its computes are suspended. */
export function recoverProject(
  controlPlane: ControlPlane,
  deleted: ProjectRow,
): { project: ProjectRow; branches: BranchRow[] } {
  const { tables } = controlPlane;
  const { id: projectId } = deleted;
  if (deleted.deleted_at === null) throw unprocessable("project is not deleted");
  for (const endpoint of listProjectEndpoints(controlPlane, projectId)) {
    if (isActive(endpoint)) tables.endpoints.put({ ...endpoint, current_state: "idle" });
  }
  const project: ProjectRow = {
    ...deleted,
    deleted_at: null,
    recoverable_until: null,
    check_at: nextCheckAt(controlPlane),
    updated_at: controlPlane.timestamps.next(),
  };
  tables.projects.put(project);
  const branches = tables.branches.list({ project_id: projectId, deleted_at: null }, "ORDER BY created_at");
  return { project, branches };
}

/** Removes a deleted project for good. */
export function purgeProject(controlPlane: ControlPlane, projectId: string): void {
  revokeKeysOfProject(controlPlane, projectId);
  purgeRows(controlPlane, "project", projectId);
  controlPlane.tables.projects.delete({ id: projectId });
}

/** A project as `GET /projects/{project_id}` returns it: with its owner. */
export function projectDetails(controlPlane: ControlPlane, project: ProjectRow) {
  const owner = ownerResponse(controlPlane, getOwner(controlPlane, project));
  return { ...projectResponse(controlPlane, project), owner } satisfies Answer<vendor.Project & { slug: string }>;
}

/** A project with its usage, as changes of it return it. */
export function projectResponse(controlPlane: ControlPlane, project: ProjectRow) {
  return {
    ...commonMembers(controlPlane, project),
    data_storage_bytes_hour: 0,
    data_transfer_bytes: 0,
    written_data_bytes: 0,
    compute_time_seconds: project.compute_time_seconds,
    active_time_seconds: project.active_time_seconds,
    consumption_period_start: monthStart(controlPlane, 0),
    consumption_period_end: monthStart(controlPlane, 1),
  } satisfies Answer<vendor.Project & { slug: string }>;
}

/** The start of this month, or of one after it. */
function monthStart({ clock }: ControlPlane, offset: number): string {
  const now = new Date(clock.now());
  return wholeSeconds(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1));
}

/** A project in a list. */
export function projectListItem(controlPlane: ControlPlane, project: ProjectRow) {
  const { deleted_at, recoverable_until, org_id } = inWholeSeconds(project);
  const { organizations } = controlPlane.tables;
  const organization = org_id === undefined ? undefined : organizations.get({ id: org_id });
  const deprecated = { quota_reset_at: monthStart(controlPlane, 1) };
  return {
    ...commonMembers(controlPlane, project),
    ...(organization && { org_name: organization.name }),
    ...deprecated,
    active_time: project.active_time_seconds,
    ...(deleted_at !== null && recoverable_until !== null && { deleted_at, recoverable_until }),
  } satisfies Answer<vendor.ProjectListItem & { slug: string }>;
}

/** The members that a single project and one in a list share. */
function commonMembers(controlPlane: ControlPlane, project: ProjectRow) {
  const { logicalSizeMebibytes } = limitsOf(controlPlane, project);
  const branches = controlPlane.tables.branches.list({ project_id: project.id, deleted_at: null });
  return {
    ...pick(project, projectMembers),
    slug: project.id,
    settings: visibleSettings(project.settings),
    synthetic_storage_size: branches.reduce((sum, { logical_size: size = 0 }) => sum + size, 0),
    cpu_used_sec: project.compute_time_seconds,
    branch_logical_size_limit: logicalSizeMebibytes,
    branch_logical_size_limit_bytes: logicalSizeMebibytes * 2 ** 20,
  };
}

/** The settings as the API returns them. The level of the audit log belongs to HIPAA: other projects show it only if it was set. */
function visibleSettings(settings: ProjectSettings): ProjectSettings {
  return settings.hipaa ? { ...settings, audit_log_level: auditLogLevelOf(settings) } : settings;
}

/** The operations that apply a change of a project to its computes and storage. */
function operationsForChange(controlPlane: ControlPlane, before: ProjectRow, after: ProjectRow): PlannedOperation[] {
  const action = computeActionFor(before.settings, after.settings);
  const active = listProjectEndpoints(controlPlane, after.id).filter(isActive);
  const changesRetention = before.history_retention_seconds !== after.history_retention_seconds;
  return [
    ...(changesRetention ? [{ action: "apply_storage_config" as const }] : []),
    ...(action === undefined ? [] : active.map((endpoint) => operationOn(endpoint, action))),
  ];
}

/** @throws HttpError 400 */
function checkRetention(
  { historyRetentionSeconds: max }: PlanLimits,
  { history_retention_seconds: seconds = 0 }: Pick<ProjectUpdate, "history_retention_seconds">,
): void {
  if (seconds <= max) return;
  const values = `requested_history_retention_seconds:"${seconds}", max:"${max}"`;
  throw badRequest(`requested history retention seconds exceeds allowed maximum; ${values}`);
}

function endpointDefaults(
  limits: PlanLimits,
  current: DefaultEndpointSettings,
  input: NonNullable<ProjectCreate["default_endpoint_settings"]>,
): DefaultEndpointSettings {
  const { pg_settings = current.pg_settings, pgbouncer_settings = current.pgbouncer_settings } = input;
  return { pg_settings, pgbouncer_settings, ...withSizing(limits, current, input) };
}
