import { reservedNameProblem, type RoleCreate } from "../../api/schemas/role";
import { badRequest, conflict, HttpError, notFound, unprocessable } from "../http-error";
import { newPassword } from "../storage/ids";
import { applying, reconfigure } from "./configuration";
import type { ControlPlane } from "./control-plane";
import { databasesOf } from "./database";
import type { BranchRow, OperationRow, ProjectRow, RoleRow } from "./rows";
import { limits } from "./user";

/** What a change to a role answers: the role as asked for, and the operations that bring it about. */
export interface RoleChange {
  readonly role: RoleRow;
  readonly operations: readonly OperationRow[];
}

const longestNameBytes = 63;

/** Makes a role, with a password if it can log in; the answer holds that even if it is not stored. */
export function createRole(
  plane: ControlPlane,
  branch: Pick<BranchRow, "id" | "project_id">,
  { name, no_login: noLogin = false }: RoleCreate,
  storePassword: boolean,
): RoleRow {
  const stamp = plane.stamps.next();
  const row: RoleRow = {
    project_id: branch.project_id,
    branch_id: branch.id,
    name,
    protected: false,
    authentication_method: noLogin ? "no_login" : "password",
    created_at: stamp,
    updated_at: stamp,
    deleted_at: null,
    deletion_id: null,
  };
  const told = noLogin ? row : { ...row, password: newPassword() };
  plane.tables.roles.put(storePassword ? told : row);
  return told;
}

/** Makes a role of a branch that is there. */
export function addRole(plane: ControlPlane, project: ProjectRow, branch: BranchRow, asked: RoleCreate): RoleChange {
  const { roles } = plane.tables;
  const problem = reservedNameProblem(asked.name);
  if (problem !== undefined) throw unprocessable(`role name "${asked.name}" ${problem}`);
  if (roles.get({ branch_id: branch.id, name: asked.name, deleted_at: null })) {
    throw conflict(`role "${asked.name}" already exists`);
  }
  if (roles.count({ branch_id: branch.id, deleted_at: null }) >= limits.rolesPerBranch) {
    throw unprocessable(`the limit of ${limits.rolesPerBranch} roles per branch is reached`, "ROLES_LIMIT_EXCEEDED");
  }
  const operations = reconfigure(plane, project, branch);
  return { role: createRole(plane, branch, asked, project.store_passwords), operations };
}

/** Gives a role another password, which takes the place of the old one when the operations are done. */
export function resetPassword(plane: ControlPlane, project: ProjectRow, branch: BranchRow, role: RoleRow): RoleChange {
  requireLogin(role);
  const operations = reconfigure(plane, project, branch);
  const password = newPassword();
  const changed: RoleRow = { ...role, updated_at: plane.stamps.next() };
  const last = operations.at(-1);
  if (!project.store_passwords) plane.tables.roles.put(changed);
  else if (last === undefined) plane.tables.roles.put({ ...changed, password });
  else plane.tables.roles.put({ ...changed, next_password: { value: password, operation_id: last.id } });
  return { role: { ...changed, password }, operations };
}

/** Deletes a role that owns nothing. */
export function deleteRole(plane: ControlPlane, project: ProjectRow, branch: BranchRow, role: RoleRow): RoleChange {
  const owned = databasesOf(plane, branch.id).filter(({ owner_name: owner }) => owner === role.name);
  if (owned.length > 0) {
    const names = owned.map(({ name }) => `"${name}"`).join(", ");
    throw unprocessable(`role "${role.name}" owns ${names}: give them another owner or delete them first`);
  }
  const operations = reconfigure(plane, project, branch);
  const deletion = applying(operations);
  if (deletion === undefined) plane.tables.roles.remove({ branch_id: branch.id, name: role.name });
  else plane.tables.roles.put({ ...role, deleted_at: plane.stamps.next(), deletion_id: deletion.id });
  return { role, operations };
}

/**
 * Copies a branch's roles to its child, with their passwords; under a protected parent they get new ones, which the
 * answer holds.
 */
export function copyRoles(plane: ControlPlane, parent: BranchRow, child: BranchRow, storePassword: boolean): RoleRow[] {
  return rolesOf(plane, parent.id).map((role) => {
    const stamp = plane.stamps.next();
    const { next_password: _next, ...present } = role;
    const copy: RoleRow = { ...present, branch_id: child.id, created_at: stamp, updated_at: stamp };
    const hasOwn = parent.protected && role.authentication_method === "password";
    const withOwn = hasOwn ? { ...copy, password: newPassword() } : copy;
    plane.tables.roles.put(storePassword ? withOwn : copy);
    return withOwn;
  });
}

export function rolesOf({ tables }: ControlPlane, branchId: string): RoleRow[] {
  return tables.roles.list({ branch_id: branchId, deleted_at: null }, "ORDER BY created_at");
}

export function roleOf({ tables }: ControlPlane, branchId: string, name: string): RoleRow {
  const found = tables.roles.get({ branch_id: branchId, name, deleted_at: null });
  if (!found) throw notFound("role");
  return found;
}

/** A role as clients see it; its password only in answers that make one. */
export function roleAnswer(row: RoleRow): object {
  const { branch_id, name, protected: isProtected, authentication_method, created_at, updated_at } = row;
  return { branch_id, name, protected: isProtected, authentication_method, created_at, updated_at };
}

/** The same, with its password if there is one to show. */
export function roleWithPassword(row: RoleRow): object {
  return { ...roleAnswer(row), password: row.password };
}

/** Refuses names that Postgres or the platform keep for themselves. */
export function checkRoleName(name: string): void {
  checkNameLength("role", name);
  const problem = reservedNameProblem(name);
  if (problem !== undefined) throw badRequest(`role name "${name}" ${problem}`);
}

export function checkNameLength(kind: string, name: string): void {
  if (name === "") throw badRequest(`${kind} name must not be empty`);
  if (name.includes("\0")) throw badRequest(`${kind} name must not contain a NUL character`);
  if (Buffer.byteLength(name) > longestNameBytes) {
    throw badRequest(`${kind} name must not exceed ${longestNameBytes} bytes`);
  }
}

function requireLogin(role: RoleRow): void {
  if (role.authentication_method === "no_login") {
    throw unprocessable(`role "${role.name}" cannot log in, so it has no password`);
  }
}

/** The password of a role that is in force now, if the platform knows one. */
export function requirePassword(role: RoleRow): string {
  requireLogin(role);
  if (role.password !== undefined) return role.password;
  throw new HttpError(412, `password of role "${role.name}" is not stored`);
}
