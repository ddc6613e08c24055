import type { RoleCreate } from "../../../api/schemas/role";
import { badRequest, conflict, HttpError, unprocessable } from "../../http-error";
import type { Answer, Stored, vendor } from "../../published/answers";
import * as published from "../../published/requests";
import { reservedNameProblem } from "../../published/rules";
import { newPassword } from "../../storage/ids";
import { scramVerifier } from "../../storage/scram-verifier";
import { pick } from "../../storage/timestamps";
import { limits, requireBelow } from "../accounts/limits";
import { everyCopy, type RowTable } from "../containment";
import type { ControlPlane } from "../control-plane";
import { type Deletable, isLeftInPostgres } from "../deletable";
import { deleteAfter } from "../operations/effects";
import { type OperationRow, operationResponses, type Started } from "../operations/operation";
import type { ProjectRow } from "../projects/project-row";
import { branchMember } from "../routing/authorization";
import { allow, type ApiPaths, noContent } from "../routing/route";
import type { BranchRow } from "./branch-row";
import { listDatabases } from "./database";
import { applyConfiguration, findApplyConfig } from "./postgres-configuration";

/** Members that the API returns as they are stored. */
const roleMembers = ["branch_id", "name", "protected", "authentication_method", "created_at", "updated_at"] as const;

export interface RoleRow extends Deletable, Stored<vendor.Role, typeof roleMembers> {
  project_id: string;
  /** Undefined if the project does not store passwords, or if the role cannot log in. */
  password?: string | undefined;
  /** The verifier with which Postgres checks the password. It is stored even if the password is not. */
  verifier?: string | undefined;
  /** Replaces the password when this operation has succeeded. */
  next_password?: { value?: string | undefined; verifier?: string | undefined; operation_id: string } | undefined;
  /** The role in Postgres, as the platform last saw it; undefined until it is created there. */
  catalog?: { oid: number; name: string; login: boolean; verifier?: string | undefined } | undefined;
  protected: boolean;
  authentication_method: "password" | "oauth" | "no_login";
  /**
   * Whether the role has only the rights that are granted to it, like the roles that tokens use. Default: the rights of
   * `neon_superuser`.
   */
  restricted?: true | undefined;
}

export const roleTable: RowTable<RoleRow> = {
  name: "roles",
  within: "branch",
  branching: {
    on: everyCopy,
    // The data may be older than the row, so Postgres gets the row's password again. A deleted role needs no password.
    copy(row, { controlPlane, moment }) {
      const { timestamps } = controlPlane;
      if (row.deleted_at === null) return { ...forgetVerifier(row), ...timestamps.created(), next_password: undefined };
      if (!isLeftInPostgres(row, moment)) return undefined;
      return { ...row, password: undefined, verifier: undefined, next_password: undefined };
    },
  },
  columns: ["deleted_at"],
  primaryKey: ["branch_id", "name"],
  indexes: ["project_id", "deletion_id"],
  encrypted: ["password", "value", "verifier"],
  latest: "created_at",
};

const path = "/projects/:project_id/branches/:branch_id/roles";

export const rolePaths: ApiPaths = {
  [path]: {
    GET: allow(branchMember, ({ controlPlane, branch }) => ({
      roles: listRoles(controlPlane, branch.id).map(roleResponse),
    })),
    POST: allow(
      { ...branchMember, status: 201, ...published.createProjectBranchRole },
      ({ controlPlane, project, branch, body }) =>
        passwordResponse(controlPlane, createRole(controlPlane, project, branch, body.role)),
    ),
  },
  [`${path}/:role_name`]: {
    GET: allow(branchMember, ({ controlPlane, branch, parameter }) => ({
      role: roleResponse(getRole(controlPlane, branch.id, parameter("role_name"))),
    })),
    DELETE: allow(branchMember, ({ controlPlane, project, branch, parameter }) => {
      const where = { branch_id: branch.id, name: parameter("role_name"), deleted_at: null };
      const role = controlPlane.tables.roles.get(where);
      if (!role) return noContent;
      const operations = deleteRole(controlPlane, project, branch, role);
      return { role: roleResponse(role), operations: operationResponses(controlPlane, operations) };
    }),
  },
  [`${path}/:role_name/reveal_password`]: {
    GET: allow(branchMember, ({ controlPlane, branch, parameter }) => ({
      password: requirePassword(getRole(controlPlane, branch.id, parameter("role_name"))),
    })),
  },
  [`${path}/:role_name/reset_password`]: {
    POST: allow(branchMember, ({ controlPlane, project, branch, parameter }) => {
      const role = getRole(controlPlane, branch.id, parameter("role_name"));
      return passwordResponse(controlPlane, resetPassword(controlPlane, project, branch, role));
    }),
  },
};

/** The response to a change that sets a password. */
function passwordResponse(controlPlane: ControlPlane, { role, operations }: Started<{ role: RoleRow }>) {
  return { role: roleResponseWithPassword(role), operations: operationResponses(controlPlane, operations) };
}

const maxNameBytes = 63;

/** Adds a role, with a password if it can log in. The returned row contains the password even if it is not stored. */
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

/** A role with a new password. The verifier is for Postgres, so it is not computed without one. */
function withPassword({ databases }: ControlPlane, row: RoleRow, password: string): RoleRow {
  return { ...row, password, verifier: databases && scramVerifier(password) };
}

function createRole(
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
function resetPassword(
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
function deleteRole(controlPlane: ControlPlane, project: ProjectRow, branch: BranchRow, role: RoleRow): OperationRow[] {
  const owned = listDatabases(controlPlane, branch.id).filter(({ owner_name: owner }) => owner === role.name);
  if (owned.length > 0) {
    const names = owned.map(({ name }) => `"${name}"`).join(", ");
    throw unprocessable(`role "${role.name}" owns ${names}: give them another owner or delete them first`);
  }
  const operations = applyConfiguration(controlPlane, project, branch, "roles");
  deleteAfter(controlPlane, controlPlane.tables.roles, role, findApplyConfig(operations));
  return operations;
}

/**
 * Gives the roles of a branch new passwords if the branch is a copy of a protected one. The returned rows contain the passwords
 * even if they are not stored.
 */
export function renewPasswords(
  controlPlane: ControlPlane,
  project: ProjectRow,
  source: BranchRow,
  branchId: string,
): RoleRow[] {
  return listRoles(controlPlane, branchId).map((role) => {
    if (!source.protected || role.authentication_method !== "password") return role;
    const renewed = withPassword(controlPlane, role, newPassword());
    controlPlane.tables.roles.put(project.store_passwords ? renewed : { ...renewed, password: undefined });
    return renewed;
  });
}

/** Forgets the verifier that Postgres has. The data may be older than the row, so Postgres gets the row's password again. */
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
export function roleResponse(row: RoleRow) {
  return pick(row, roleMembers) satisfies Answer<vendor.Role>;
}

/** A role with its password, for the responses that set a password. */
export function roleResponseWithPassword(row: RoleRow) {
  return { ...roleResponse(row), password: row.password } satisfies Answer<vendor.Role>;
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
