import type { RoleCreate } from "../../../api/schemas/role";
import { badRequest, conflict, HttpError, unprocessable } from "../../http-error";
import { reservedNameProblem } from "../../published/rules";
import { newPassword } from "../../storage/ids";
import { publicMembers } from "../../storage/table";
import { scramVerifier } from "../../storage/scram-verifier";
import { limits, requireBelow } from "../accounts/limits";
import type { ControlPlane } from "../control-plane";
import { deleteAfter } from "../operations/effects";
import type { Started } from "../operations/operation";
import type { OperationRow } from "../operations/operation-row";
import type { ProjectRow } from "../projects/project-row";
import type { BranchRow } from "./branch-row";
import { type RoleRow, roleTable } from "./role-row";
import { listDatabases } from "./database";
import { applyConfiguration, findApplyConfig } from "./postgres-configuration";

const maxNameBytes = 63;

/** Adds a role, with a password if it can log in. The returned row has the password even if it is not stored. */
export function insertRole(
  controlPlane: ControlPlane,
  branch: Pick<BranchRow, "id" | "project_id">,
  { name, no_login: noLogin = false }: RoleCreate,
  storePassword: boolean,
): RoleRow {
  const row: RoleRow = {
    project_id: branch.project_id,
    branch_id: branch.id,
    name,
    protected: false,
    authentication_method: noLogin ? "no_login" : "password",
    ...controlPlane.timestamps.created(),
    deleted_at: null,
    deletion_id: null,
  };
  const created = noLogin ? row : withPassword(controlPlane, row, newPassword());
  controlPlane.tables.roles.put(storePassword ? created : { ...created, password: undefined });
  return created;
}

/** A role with a new password. Its verifier is what Postgres needs; without Postgres, it is not computed. */
function withPassword({ databases }: ControlPlane, row: RoleRow, password: string): RoleRow {
  return { ...row, password, verifier: databases && scramVerifier(password) };
}

export function createRole(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  input: RoleCreate,
): Started<{ role: RoleRow }> {
  const { roles } = controlPlane.tables;
  const problem = reservedNameProblem(input.name);
  if (problem !== undefined) throw unprocessable(`role name "${input.name}" ${problem}`);
  if (roles.get({ branch_id: branch.id, name: input.name, deleted_at: null })) {
    throw conflict(`role "${input.name}" already exists`);
  }
  const count = roles.count({ branch_id: branch.id, deleted_at: null });
  requireBelow(limits.rolesPerBranch, count, "roles", "ROLES_LIMIT_EXCEEDED");
  const operations = applyConfiguration(controlPlane, project, branch, "roles");
  return { role: insertRole(controlPlane, branch, input, project.store_passwords), operations };
}

/** Resets the password of a role. The old password is valid until the operations have succeeded. */
export function resetPassword(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  role: RoleRow,
): Started<{ role: RoleRow }> {
  requireLogin(role);
  const operations = applyConfiguration(controlPlane, project, branch, "roles");
  const changed: RoleRow = { ...role, updated_at: controlPlane.timestamps.next() };
  const reset = withPassword(controlPlane, changed, newPassword());
  const stored = project.store_passwords ? reset : { ...reset, password: undefined };
  const last = operations.at(-1);
  const next = { value: stored.password, verifier: reset.verifier, operation_id: last?.id ?? "" };
  controlPlane.tables.roles.put(last === undefined ? stored : { ...changed, next_password: next });
  return { role: reset, operations };
}

/** @throws HttpError 422 if the role owns databases. */
export function deleteRole(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  role: RoleRow,
): OperationRow[] {
  const owned = listDatabases(controlPlane, branch.id).filter(({ owner_name: owner }) => owner === role.name);
  if (owned.length > 0) {
    const names = owned.map(({ name }) => `"${name}"`).join(", ");
    throw unprocessable(`role "${role.name}" owns ${names}: give them another owner or delete them first`);
  }
  const operations = applyConfiguration(controlPlane, project, branch, "roles");
  deleteAfter(controlPlane, controlPlane.tables.roles, role, findApplyConfig(operations));
  return operations;
}

/** Copies the roles of a branch to its child with their passwords, or with new ones if the parent is protected. */
export function copyRoles(
  controlPlane: ControlPlane,
  parent: BranchRow,
  child: BranchRow,
  storePassword: boolean,
): RoleRow[] {
  return listRoles(controlPlane, parent.id).map((role) => {
    const created = controlPlane.timestamps.created();
    const copy: RoleRow = { ...forgetVerifier(role), ...created, branch_id: child.id, next_password: undefined };
    const needsPassword = parent.protected && role.authentication_method === "password";
    const copied = needsPassword ? withPassword(controlPlane, copy, newPassword()) : copy;
    controlPlane.tables.roles.put(storePassword ? copied : { ...copied, password: copy.password });
    return copied;
  });
}

/** A role whose data may be older than its row: Postgres gets the password of the row again. */
export function forgetVerifier(role: RoleRow): RoleRow {
  return role.catalog === undefined ? role : { ...role, catalog: { ...role.catalog, verifier: undefined } };
}

export function listRoles({ tables }: ControlPlane, branchId: string): RoleRow[] {
  return tables.roles.list({ branch_id: branchId, deleted_at: null }, "ORDER BY created_at");
}

export function getRole({ tables }: ControlPlane, branchId: string, name: string): RoleRow {
  return tables.roles.getOr404("role", { branch_id: branchId, name, deleted_at: null });
}

/** A role as the API returns it, without its password. */
export function roleResponse(row: RoleRow): object {
  return publicMembers(roleTable, row);
}

/** A role with its password, for the responses that set a password. */
export function roleResponseWithPassword(row: RoleRow): object {
  return { ...roleResponse(row), password: row.password };
}

/** @throws HttpError 400 if the name is invalid or reserved by Postgres or the platform. */
export function checkRoleName(name: string): void {
  checkNameLength("role", name);
  const problem = reservedNameProblem(name);
  if (problem !== undefined) throw badRequest(`role name "${name}" ${problem}`);
}

export function checkNameLength(kind: string, name: string): void {
  if (name === "") throw badRequest(`${kind} name must not be empty`);
  if (name.includes("\0")) throw badRequest(`${kind} name must not contain a NUL character`);
  if (Buffer.byteLength(name) > maxNameBytes) {
    throw badRequest(`${kind} name must not exceed ${maxNameBytes} bytes`);
  }
}

function requireLogin(role: RoleRow): void {
  if (role.authentication_method === "no_login") {
    throw unprocessable(`role "${role.name}" cannot log in, so it has no password`);
  }
}

/**
 * The current password of a role.
 *
 * @throws HttpError 412 if it is not stored, 422 if the role cannot log in.
 */
export function requirePassword(role: RoleRow): string {
  requireLogin(role);
  if (role.password !== undefined) return role.password;
  throw new HttpError(412, `password of role "${role.name}" is not stored`);
}
