import type { z } from "zod";

import type { BranchUpdate } from "../../../api/schemas/branch";
import { badRequest, locked, notFound, unprocessable } from "../../http-error";
import { newId } from "../../storage/ids";
import { inWholeSeconds, pick } from "../../storage/timestamps";
import type { createProjectBranch } from "../../published/requests";
import { endpointResponse, insertEndpoint, isActive, listBranchEndpoints, suspendCompute } from "../computes/endpoint";
import { copyRows } from "../containment";
import type { Answer, vendor } from "../../published/answers";
import type { ControlPlane } from "../control-plane";
import { startOperations } from "../operations/lifecycle";
import { operationResponses, type Started } from "../operations/operation";
import { requireUnlockedProject } from "../operations/project-lock";
import type { Author } from "../accounts/user-row";
import type { EndpointRow } from "../computes/endpoint-row";
import type { ProjectRow } from "../projects/project-row";
import { branchMembers, type BranchRow } from "./branch-row";
import { checkBranchLimits, checkProtectedBranchLimit, requireUniqueBranchName } from "./branch-limits";
import { getBranchOrDefault, hasChildren, requireReady } from "./branch-state";
import { connectionDetails } from "./connection-uri";
import { issueDefaultCredentials } from "./credential";
import { databaseResponse, type DatabaseRow, listDatabases } from "./database";
import { protectedAndExpiring, requireLasting, withExpiry } from "./expiry";
import { momentOf, pointInHistory } from "./history";
import { restrictedActions } from "./masking-state";
import { renewPasswords, roleResponse, type RoleRow } from "./role";

export type CreatedBranch = Started<{
  readonly branch: BranchRow;
  readonly endpoints: readonly EndpointRow[];
  readonly roles: readonly RoleRow[];
  readonly databases: readonly DatabaseRow[];
}>;

/** How long deleted projects and branches can be recovered. */
export const recoveryMs = 7 * 86_400_000;

/** Adds the branch that a project is created with. The caller starts its operations. */
export function insertFirstBranch(
  controlPlane: ControlPlane,
  project: ProjectRow,
  author: Author,
  input: { name?: string | undefined; annotations?: Readonly<Record<string, string>> | undefined },
): BranchRow {
  const branch: BranchRow = {
    ...newBranch(controlPlane, project, author, input.name ?? "main"),
    default: true,
    first: true,
    init_source: "parent-data",
    annotation: annotationOf(controlPlane, input.annotations),
    origin: { kind: "empty" },
  };
  controlPlane.tables.branches.put(branch);
  return branch;
}

/** Creates a branch with computes, and with copies of its parent's roles and databases. */
export function createBranch(
  controlPlane: ControlPlane,
  project: ProjectRow,
  author: Author,
  { branch: input = {}, endpoints = [], annotation_value: annotations }: z.infer<typeof createProjectBranch.body>,
): CreatedBranch {
  const parent = getBranchOrDefault(controlPlane, project.id, input.parent_id);
  if (input.name !== undefined) requireUniqueBranchName(controlPlane, project.id, input.name);
  if (parent.expires_at !== undefined) throw unprocessable("a branch that expires cannot be a parent");
  if (input.archived === true && endpoints.length > 0) {
    throw unprocessable("an archived branch cannot be created with computes");
  }
  const isSchemaOnly = input.init_source === "schema-only";
  checkBranchLimits(controlPlane, project, { isRoot: isSchemaOnly, isProtected: input.protected === true });
  requireUnlockedProject(controlPlane, project.id);
  requireReady(parent);
  const point = pointInHistory(controlPlane, project, parent, "parent_", input);

  const inserted: BranchRow = {
    ...newBranch(controlPlane, project, author, input.name),
    pending_state: input.archived === true ? "archived" : "ready",
    ...(isSchemaOnly ? {} : { parent_id: parent.id, ...point }),
    protected: input.protected ?? false,
    init_source: input.init_source ?? "parent-data",
    annotation: annotationOf(controlPlane, annotations),
    origin: {
      kind: "branch",
      id: parent.id,
      moment: momentOf("parent_", input),
      ...(isSchemaOnly && { isSchemaOnly }),
    },
  };
  const branch = withExpiry(controlPlane, inserted, input.expires_at);
  controlPlane.tables.branches.put(branch);
  const added = endpoints.map((endpoint) => insertEndpoint(controlPlane, project, branch, endpoint));
  copyRows(controlPlane, isSchemaOnly ? "schema" : "branch", parent.id, branch, momentOf("parent_", input));
  const roles = renewPasswords(controlPlane, project, parent, branch.id);
  const databases = listDatabases(controlPlane, branch.id);
  const operations = startOperations(controlPlane, project.id, [
    { action: "create_branch", branchId: branch.id },
    { action: "timeline_update_protected_config", branchId: branch.id },
    ...(input.archived === true ? [{ action: "timeline_archive" as const, branchId: branch.id }] : []),
    ...added.flatMap(({ planned }) => planned),
  ]);
  return { branch, endpoints: listBranchEndpoints(controlPlane, branch.id), operations, roles, databases };
}

/** Changes a branch. This needs no operation. */
export function updateBranch(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  input: BranchUpdate,
): Started<{ branch: BranchRow }> {
  if (input.name !== undefined) {
    if (input.name === branch.name) throw badRequest("cannot set branch to the same name");
    requireUniqueBranchName(controlPlane, branch.project_id, input.name);
  }
  if (input.protected === true && !branch.protected) checkProtectedBranchLimit(controlPlane, project);
  const named = { ...branch, name: input.name ?? branch.name, protected: input.protected ?? branch.protected };
  const changed = withExpiry(controlPlane, named, input.expires_at);
  if (changed.expires_at !== undefined && changed.protected) throw protectedAndExpiring();
  if (JSON.stringify(changed) === JSON.stringify(branch)) return { branch, operations: [] };
  const updated = { ...changed, updated_at: controlPlane.timestamps.next() };
  controlPlane.tables.branches.put(updated);
  return { branch: updated, operations: [] };
}

/** Makes a branch the default branch of its project. This needs no operation. */
export function setAsDefault({ tables, timestamps }: ControlPlane, branch: BranchRow): Started<{ branch: BranchRow }> {
  if (branch.default) return { branch, operations: [] };
  requireLasting(branch);
  for (const previous of tables.branches.list({ project_id: branch.project_id, default: 1 })) {
    tables.branches.put({ ...previous, default: false, updated_at: timestamps.next() });
  }
  const updated = { ...branch, default: true, updated_at: timestamps.next() };
  tables.branches.put(updated);
  return { branch: updated, operations: [] };
}

/** Deletes a branch with its computes. Unless it is a hard delete, it can be recovered for 7 days. */
export function deleteBranch(
  controlPlane: ControlPlane,
  branch: BranchRow,
  options: { method: "user" | "ttl"; hard?: boolean },
): Started<{ branch: BranchRow }> {
  requireDeletable(controlPlane, branch);
  const { tables, timestamps, clock } = controlPlane;
  const active = listBranchEndpoints(controlPlane, branch.id).filter(isActive);
  const operations = startOperations(controlPlane, branch.project_id, [
    ...active.map(suspendCompute),
    { action: "delete_timeline", branchId: branch.id },
  ]);
  const timestamp = timestamps.next();
  const deletion = { deleted_at: timestamp, deletion_id: operations.at(-1)?.id ?? null };
  for (const endpoint of listBranchEndpoints(controlPlane, branch.id)) {
    tables.endpoints.put({ ...endpoint, ...deletion });
  }
  const recoverableUntil = options.hard === true ? clock.now() : clock.now() + recoveryMs;
  tables.branches.put({
    ...branch,
    ...deletion,
    updated_at: timestamp,
    recoverable_until: new Date(recoverableUntil).toISOString(),
    deletion_method: options.method,
  });
  return { branch: { ...branch, pending_state: "storage_deleted" }, operations };
}

/** Recovers a deleted branch. Its computes are suspended, and it no longer expires. */
export function recoverBranch(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branchId: string,
): { branch: BranchRow; endpoints: readonly EndpointRow[] } {
  const { tables, clock, timestamps } = controlPlane;
  const found = tables.branches.getOr404("branch", { id: branchId, project_id: project.id });
  if (found.deleted_at === null) throw unprocessable("branch is not deleted");
  if (found.deletion_id !== null) throw locked("the deletion of the branch is still in progress");
  if (Date.parse(found.recoverable_until ?? "") <= clock.now()) throw notFound("branch");
  requireUniqueBranchName(controlPlane, project.id, found.name);
  checkBranchLimits(controlPlane, project, { isRoot: false });
  if (found.parent_id !== undefined) requireUsableParent(controlPlane, found.parent_id);
  const notDeleted = { deleted_at: null, deletion_id: null } as const;
  for (const endpoint of tables.endpoints.list({ branch_id: branchId })) {
    const idle = { pending_state: undefined, current_state: "idle", idle_at: null } as const;
    tables.endpoints.put({ ...endpoint, ...idle, ...notDeleted });
  }
  const branch: BranchRow = {
    ...found,
    ...notDeleted,
    expires_at: undefined,
    ttl_interval_seconds: undefined,
    recoverable_until: null,
    deletion_method: null,
    updated_at: timestamps.next(),
  };
  tables.branches.put(branch);
  return { branch, endpoints: listBranchEndpoints(controlPlane, branchId) };
}

function requireUsableParent({ tables }: ControlPlane, parentId: string): void {
  const parent = tables.branches.get({ id: parentId, deleted_at: null });
  if (!parent) throw unprocessable(`parent branch ${parentId} is deleted too; recover it first`);
  if (parent.expires_at !== undefined)
    throw unprocessable(`parent branch ${parentId} expires now, so it cannot have children`);
}

export function branchResponse(row: BranchRow) {
  const { deleted_at, recoverable_until, deletion_method } = inWholeSeconds(row);
  const deprecated = { primary: row.default, cpu_used_sec: row.compute_time_seconds };
  const isDeleted = deleted_at !== null && recoverable_until !== null && deletion_method !== null;
  return {
    ...pick(row, branchMembers),
    slug: row.id,
    restricted_actions: restrictedActions(row),
    // The timestamp is unknown until the branch has been created.
    ...(row.current_state === "init" && { parent_timestamp: undefined }),
    ...deprecated,
    written_data_bytes: 0,
    data_transfer_bytes: 0,
    ...(isDeleted && { recovery: { deleted_at, recoverable_until, deletion_method } }),
  } satisfies Answer<vendor.Branch & { slug: string }>;
}

export function annotationResponse({ id, annotation }: BranchRow) {
  if (annotation === null) return { object: { type: "", id: "" }, value: {} } satisfies Answer<vendor.AnnotationData>;
  return {
    object: { type: "console/branch", id },
    ...inWholeSeconds(annotation),
  } satisfies Answer<vendor.AnnotationData>;
}

/** The connection URI of a new branch, if it has a compute and exactly one role and database. */
export function connectionUris(
  controlPlane: ControlPlane,
  { endpoints, roles, databases }: Omit<CreatedBranch, "operations">,
) {
  const endpoint = endpoints.find(({ type }) => type === "read_write") ?? endpoints[0];
  const [role, otherRole] = roles;
  const [database, otherDatabase] = databases;
  if (!endpoint || role?.password === undefined || !database || otherRole || otherDatabase) return undefined;
  return [connectionDetails(controlPlane, { endpoint, role, password: role.password, database })];
}

/** A new branch with all that was created with it. */
export function createdBranchResponse(controlPlane: ControlPlane, created: CreatedBranch) {
  return {
    branch: branchResponse(created.branch),
    operations: operationResponses(controlPlane, created.operations),
    endpoints: created.endpoints.map(endpointResponse),
    roles: created.roles.map(roleResponse),
    databases: created.databases.map(databaseResponse),
    connection_uris: connectionUris(controlPlane, created),
  };
}

/** Returns the row of a new branch, which the caller completes and stores. Issues the default credentials of the branch. */
export function newBranch(
  controlPlane: ControlPlane,
  project: ProjectRow,
  author: Author,
  name: string | undefined,
): BranchRow {
  const id = newId.branch();
  const created = controlPlane.timestamps.created();
  issueDefaultCredentials(controlPlane, { id, project_id: project.id });
  return {
    id,
    project_id: project.id,
    name: name ?? id,
    current_state: "init",
    pending_state: "ready",
    state_changed_at: created.created_at,
    creation_source: "console",
    default: false,
    protected: false,
    init_source: "parent-data",
    ...created,
    created_by: author,
    compute_time_seconds: 0,
    active_time_seconds: 0,
    first: false,
    annotation: null,
    recoverable_until: null,
    deletion_method: null,
    masking_due_at: null,
    deleted_at: null,
    deletion_id: null,
  };
}

function requireDeletable(controlPlane: ControlPlane, branch: BranchRow): void {
  if (branch.protected) throw unprocessable("cannot delete protected branch");
  if (branch.default) throw unprocessable("cannot delete the default branch");
  if (branch.first) throw unprocessable("cannot delete the root branch the project was created with");
  if (hasChildren(controlPlane, branch)) {
    throw unprocessable("cannot delete branch that has children");
  }
}

function annotationOf(
  { timestamps }: ControlPlane,
  value: Readonly<Record<string, string>> | undefined,
): BranchRow["annotation"] {
  if (value === undefined) return null;
  return { value, ...timestamps.created() };
}
