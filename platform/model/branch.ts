import type { BranchCreateBody, BranchUpdate } from "../../api/schemas/branch";
import { badRequest, conflict, locked, notFound, unprocessable } from "../http-error";
import { newId } from "../storage/ids";
import { wholeSeconds } from "../storage/timestamps";
import { connectionDetails } from "./connection-uri";
import type { ControlPlane } from "./control-plane";
import { copyDatabases } from "./database";
import { addEndpoint, endpointsOfBranch, suspendPlan } from "./endpoint";
import { pointInHistory } from "./history";
import { begin, type Plan, requireFree } from "./operation";
import { copyRoles } from "./role";
import type { Author, BranchRow, DatabaseRow, EndpointRow, OperationRow, ProjectRow, RoleRow } from "./rows";
import { limits } from "./user";

/** What a change to a branch answers: the branch as asked for, and the operations that bring it about. */
export interface BranchChange {
  readonly branch: BranchRow;
  readonly operations: readonly OperationRow[];
}

export interface CreatedBranch extends BranchChange {
  readonly endpoints: readonly EndpointRow[];
  readonly roles: readonly RoleRow[];
  readonly databases: readonly DatabaseRow[];
}

const dayMs = 86_400_000;
const furthestExpiryDays = 30;
/** How long a deleted object can be brought back. */
export const recoveryMs = 7 * dayMs;
const mostAnnotations = 50;

/** Makes the branch that a project is born with; its operations are for the caller to begin. */
export function firstBranch(
  plane: ControlPlane,
  project: ProjectRow,
  author: Author,
  asked: { name?: string | undefined; annotations?: Readonly<Record<string, string>> | undefined },
): BranchRow {
  const branch: BranchRow = {
    ...blankBranch(plane, project, author, asked.name ?? "main"),
    default: true,
    first: true,
    init_source: "parent-data",
    annotation: annotationOf(plane, asked.annotations),
  };
  plane.tables.branches.put(branch);
  return branch;
}

/** Makes a branch of another one, with the computes asked for. */
export function createBranch(
  plane: ControlPlane,
  project: ProjectRow,
  author: Author,
  { branch: asked = {}, endpoints = [], annotation_value: annotations }: BranchCreateBody,
): CreatedBranch {
  const { tables } = plane;
  const parent =
    asked.parent_id === undefined ? defaultBranchOf(plane, project.id) : branchOf(plane, project.id, asked.parent_id);
  if (asked.name !== undefined) requireFreeName(plane, project.id, asked.name);
  if (parent.expires_at !== undefined) throw unprocessable("a branch that expires cannot be a parent");
  if (asked.archived === true && endpoints.length > 0) {
    throw unprocessable("a branch cannot be created archived and with computes at once");
  }
  const isSchemaOnly = asked.init_source === "schema-only";
  requireRoom(plane, project.id);
  if (isSchemaOnly) requireRoomForRoot(plane, project.id);
  if (asked.protected === true) requireRoomForProtected(plane, project.id);
  requireFree(plane, project.id);
  if (["init", "resetting"].includes(parent.current_state)) {
    throw unprocessable(`parent branch ${parent.id} is not ready yet`);
  }
  const point = pointInHistory(
    plane,
    project,
    parent,
    { lsn: asked.parent_lsn, timestamp: asked.parent_timestamp },
    { lsn: "parent_lsn", timestamp: "parent_timestamp" },
  );

  const blank = blankBranch(plane, project, author, asked.name);
  const branch: BranchRow = {
    ...blank,
    ...(asked.archived === true && { pending_state: "archived" }),
    ...(isSchemaOnly ? {} : { parent_id: parent.id, ...point }),
    protected: asked.protected ?? false,
    init_source: asked.init_source ?? "parent-data",
    annotation: annotationOf(plane, annotations),
  };
  const expiring = withExpiry(plane, branch, asked.expires_at);
  tables.branches.put(expiring);
  const added = endpoints.map((each) => addEndpoint(plane, project, expiring, each));
  const roles = copyRoles(plane, parent, expiring, project.store_passwords);
  const databases = copyDatabases(plane, parent, expiring);
  const operations = begin(plane, project.id, [
    { action: "create_branch", branchId: branch.id },
    ...(asked.archived === true ? [{ action: "timeline_archive", branchId: branch.id }] : []),
    ...added.flatMap(({ plans }) => plans),
  ]);
  return { branch: expiring, endpoints: endpointsOfBranch(plane, branch.id), operations, roles, databases };
}

/** Changes a branch in place; nothing has to be waited for. */
export function updateBranch(plane: ControlPlane, branch: BranchRow, asked: BranchUpdate): BranchChange {
  if (asked.name !== undefined) {
    if (asked.name === branch.name) throw badRequest("cannot set branch to the same name");
    requireFreeName(plane, branch.project_id, asked.name);
  }
  if (asked.protected === true && !branch.protected) requireRoomForProtected(plane, branch.project_id);
  const named = { ...branch, name: asked.name ?? branch.name, protected: asked.protected ?? branch.protected };
  const changed = withExpiry(plane, named, asked.expires_at);
  if (changed.expires_at !== undefined && changed.protected) {
    throw unprocessable("a branch that expires cannot be protected, nor a protected one expire");
  }
  if (JSON.stringify(changed) === JSON.stringify(branch)) return { branch, operations: [] };
  const stamped = { ...changed, updated_at: plane.stamps.next() };
  plane.tables.branches.put(stamped);
  return { branch: stamped, operations: [] };
}

/** Makes a branch the project's default one; the mark goes from the one that had it. Nothing has to be waited for. */
export function setAsDefault(plane: ControlPlane, branch: BranchRow): BranchChange {
  const { tables, stamps } = plane;
  if (branch.default) return { branch, operations: [] };
  if (branch.expires_at !== undefined) throw unprocessable("a branch that expires cannot be the default one");
  for (const former of tables.branches.list({ project_id: branch.project_id, default: 1 })) {
    tables.branches.put({ ...former, default: false, updated_at: stamps.next() });
  }
  const marked = { ...branch, default: true, updated_at: stamps.next() };
  tables.branches.put(marked);
  return { branch: marked, operations: [] };
}

/** Deletes a branch with its computes, for good or so that it can be recovered for some days. */
export function deleteBranch(
  plane: ControlPlane,
  branch: BranchRow,
  how: { method: "user" | "ttl"; hard?: boolean },
): BranchChange {
  requireDeletable(plane, branch);
  const { tables, stamps, clock } = plane;
  const endpoints = endpointsOfBranch(plane, branch.id);
  const active = endpoints.filter(({ current_state: state }) => state === "active");
  const plans: Plan[] = [...active.map(suspendPlan), { action: "delete_timeline", branchId: branch.id }];
  const operations = begin(plane, branch.project_id, plans);
  const stamp = stamps.next();
  const deletion = { deleted_at: stamp, deletion_id: operations.at(-1)?.id ?? null };
  for (const endpoint of endpointsOfBranch(plane, branch.id)) tables.endpoints.put({ ...endpoint, ...deletion });
  const until = how.hard === true ? clock.now() : clock.now() + recoveryMs;
  tables.branches.put({
    ...branch,
    ...deletion,
    updated_at: stamp,
    recoverable_until: new Date(until).toISOString(),
    deletion_method: how.method,
  });
  return { branch, operations };
}

/** Brings a deleted branch back, with its computes suspended and without an expiry. */
export function recoverBranch(
  plane: ControlPlane,
  projectId: string,
  branchId: string,
): { branch: BranchRow; endpoints: readonly EndpointRow[] } {
  const { tables, clock, stamps } = plane;
  const found = tables.branches.get({ id: branchId, project_id: projectId });
  if (!found) throw notFound("branch");
  if (found.deleted_at === null) throw unprocessable("branch is not deleted");
  if (found.deletion_id !== null) throw locked("the branch's deletion is still under way");
  if (Date.parse(found.recoverable_until ?? "") <= clock.now()) throw notFound("branch");
  requireFreeName(plane, projectId, found.name);
  requireRoom(plane, projectId);
  if (found.parent_id !== undefined) requireParentThere(plane, found.parent_id);
  for (const endpoint of tables.endpoints.list({ branch_id: branchId })) {
    const { pending_state: _pending, ...rest } = endpoint;
    tables.endpoints.put({ ...rest, current_state: "idle", idle_at: null, deleted_at: null, deletion_id: null });
  }
  const { expires_at: _expiry, ttl_interval_seconds: _interval, ...rest } = found;
  const branch: BranchRow = {
    ...rest,
    deleted_at: null,
    recoverable_until: null,
    deletion_method: null,
    updated_at: stamps.next(),
  };
  tables.branches.put(branch);
  return { branch, endpoints: endpointsOfBranch(plane, branchId) };
}

function requireParentThere({ tables }: ControlPlane, parentId: string): void {
  const parent = tables.branches.get({ id: parentId, deleted_at: null });
  if (!parent) throw unprocessable(`parent branch ${parentId} is deleted, too; recover it first`);
  if (parent.expires_at !== undefined) throw unprocessable(`parent branch ${parentId} expires by now`);
}

/** Removes every trace of a branch. */
export function purgeBranch({ tables }: ControlPlane, branchId: string): void {
  for (const table of [tables.backupSchedules, tables.jwks]) table.remove({ branch_id: branchId });
  for (const table of [tables.endpoints, tables.roles, tables.databases]) table.remove({ branch_id: branchId });
  tables.branches.remove({ id: branchId });
}

export function branchOf({ tables }: ControlPlane, projectId: string, branchId: string): BranchRow {
  const found = tables.branches.get({ id: branchId, project_id: projectId, deleted_at: null });
  if (!found) throw notFound("branch");
  return found;
}

export function defaultBranchOf({ tables }: ControlPlane, projectId: string): BranchRow {
  const found = tables.branches.get({ project_id: projectId, default: 1, deleted_at: null });
  if (!found) throw notFound("default branch");
  return found;
}

/** A branch as clients see it. */
export function branchAnswer(row: BranchRow): object {
  const { first: _first, annotation: _annotation, deletion_id: _deletion, ...rest } = row;
  const {
    restoring: _restoring,
    history_since: _since,
    deleted_at,
    recoverable_until,
    deletion_method,
    ...shown
  } = rest;
  return {
    ...shown,
    primary: row.default,
    cpu_used_sec: row.compute_time_seconds,
    written_data_bytes: 0,
    data_transfer_bytes: 0,
    ...(deleted_at !== null && { recovery: { deleted_at, recoverable_until, deletion_method } }),
  };
}

/** What is stored beside a branch; a branch without annotations has an empty value. */
export function annotationAnswer(row: BranchRow): object {
  return { object: { type: "console/branch", id: row.id }, ...(row.annotation ?? { value: {} }) };
}

/** How to connect to a new branch, if there is exactly one way. */
export function connectionsTo({ endpoints, roles, databases }: Omit<CreatedBranch, "operations">): object | undefined {
  const endpoint = endpoints.find(({ type }) => type === "read_write") ?? endpoints[0];
  const [role, otherRole] = roles;
  const [database, otherDatabase] = databases;
  if (!endpoint || role?.password === undefined || !database || otherRole || otherDatabase) return undefined;
  return [connectionDetails({ endpoint, role, password: role.password, database })];
}

/** A branch that nothing is known of yet but its name. */
export function blankBranch(
  plane: ControlPlane,
  project: ProjectRow,
  author: Author,
  name: string | undefined,
): BranchRow {
  const id = newId.branch();
  const stamp = plane.stamps.next();
  return {
    id,
    project_id: project.id,
    name: name ?? id,
    current_state: "init",
    pending_state: "ready",
    state_changed_at: stamp,
    creation_source: "console",
    default: false,
    protected: false,
    init_source: "parent-data",
    created_at: stamp,
    updated_at: stamp,
    created_by: author,
    compute_time_seconds: 0,
    active_time_seconds: 0,
    first: false,
    annotation: null,
    recoverable_until: null,
    deletion_method: null,
    deleted_at: null,
    deletion_id: null,
  };
}

function withExpiry(plane: ControlPlane, branch: BranchRow, expiresAt: string | null | undefined): BranchRow {
  if (expiresAt === undefined) return branch;
  const { expires_at: _former, ttl_interval_seconds: _interval, ...rest } = branch;
  if (expiresAt === null) return rest;
  const now = plane.clock.now();
  const moment = Date.parse(expiresAt);
  if (moment <= now) throw badRequest("expires_at must be in the future");
  if (moment > now + furthestExpiryDays * dayMs) {
    throw badRequest(`expires_at must be at most ${furthestExpiryDays} days ahead`);
  }
  if (branch.protected) throw unprocessable("a branch that expires cannot be protected, nor a protected one expire");
  if (branch.default) throw unprocessable("the default branch cannot expire");
  if (branch.first) throw unprocessable("the root branch the project was created with cannot expire");
  if (hasChildren(plane, branch)) throw unprocessable("a branch with children cannot expire");
  const seconds = Math.round((moment - now) / 1000);
  return { ...branch, expires_at: wholeSeconds(moment), ttl_interval_seconds: seconds };
}

function requireDeletable(plane: ControlPlane, branch: BranchRow): void {
  const refusals: readonly (readonly [boolean, string])[] = [
    [branch.protected, "cannot delete protected branch; unprotect it first"],
    [branch.default, "cannot delete the default branch"],
    [branch.first, "cannot delete the root branch the project was created with"],
    [hasChildren(plane, branch), "cannot delete a branch that has children; delete them first"],
  ];
  for (const [applies, message] of refusals) if (applies) throw unprocessable(message);
}

export function hasChildren({ tables }: ControlPlane, branch: BranchRow): boolean {
  return tables.branches.get({ parent_id: branch.id, deleted_at: null }) !== undefined;
}

/** A branch whose deletion is still under way may come back, so its name is not free yet. */
export function requireFreeName({ tables }: ControlPlane, projectId: string, name: string): void {
  const [other] = tables.branches.list(
    { project_id: projectId, name },
    "AND (deleted_at IS NULL OR deletion_id IS NOT NULL) LIMIT 1",
  );
  if (other) throw conflict(`branch with the name "${name}" already exists`);
}

export function requireRoom({ tables }: ControlPlane, projectId: string): void {
  if (tables.branches.count({ project_id: projectId, deleted_at: null }) >= limits.branches) {
    throw unprocessable(`the limit of ${limits.branches} branches per project is reached`, "BRANCHES_LIMIT_EXCEEDED");
  }
}

export function requireRoomForRoot({ tables }: ControlPlane, projectId: string): void {
  if (tables.branches.count({ project_id: projectId, parent_id: null, deleted_at: null }) >= limits.rootBranches) {
    throw unprocessable(
      `the limit of ${limits.rootBranches} root branches per project is reached`,
      "ROOT_BRANCHES_LIMIT_EXCEEDED",
    );
  }
}

function requireRoomForProtected({ tables }: ControlPlane, projectId: string): void {
  if (tables.branches.count({ project_id: projectId, protected: 1, deleted_at: null }) >= limits.protectedBranches) {
    throw unprocessable(
      `the limit of ${limits.protectedBranches} protected branches per project is reached`,
      "BRANCHES_PROTECTED_LIMIT_EXCEEDED",
    );
  }
}

function annotationOf(
  { stamps }: ControlPlane,
  value: Readonly<Record<string, string>> | undefined,
): BranchRow["annotation"] {
  if (value === undefined) return null;
  if (Object.keys(value).length > mostAnnotations) {
    throw badRequest(`an object may have at most ${mostAnnotations} annotations`);
  }
  const stamp = stamps.next();
  return { value, created_at: stamp, updated_at: stamp };
}
