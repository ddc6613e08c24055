import type { ControlPlane } from "../control-plane";
import { newPassword } from "../ids";
import { badRequest, notFound, Refusal } from "../refusal";
import type { BranchRow, RoleRow } from "./rows";

const longestNameBytes = 63;
const reservedNames: readonly string[] = ["neon_superuser", "cloud_admin", "zenith_admin", "public", "none"];

/** Makes a role with a password, which the answer holds even if it is not stored. */
export function createRole(
  plane: ControlPlane,
  branch: Pick<BranchRow, "id" | "project_id">,
  name: string,
  storePassword: boolean,
): RoleRow & { password: string } {
  const stamp = plane.stamps.next();
  const password = newPassword();
  const row: RoleRow = {
    project_id: branch.project_id,
    branch_id: branch.id,
    name,
    protected: false,
    authentication_method: "password",
    created_at: stamp,
    updated_at: stamp,
    deleted_at: null,
    deletion_id: null,
  };
  plane.tables.roles.put(storePassword ? { ...row, password } : row);
  return { ...row, password };
}

/**
 * Copies a branch's roles to its child, with their passwords; under a protected parent they get new ones, which the
 * answer holds.
 */
export function copyRoles(plane: ControlPlane, parent: BranchRow, child: BranchRow, storePassword: boolean): RoleRow[] {
  return rolesOf(plane, parent.id).map((role) => {
    const stamp = plane.stamps.next();
    const copy: RoleRow = { ...role, branch_id: child.id, created_at: stamp, updated_at: stamp };
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
  if (name.startsWith("pg") || reservedNames.includes(name)) {
    throw badRequest(`role name "${name}" is reserved: it must not start with "pg" nor be one of ${list()}`);
  }
}

export function checkNameLength(kind: string, name: string): void {
  if (name === "") throw badRequest(`${kind} name must not be empty`);
  if (name.includes("\0")) throw badRequest(`${kind} name must not contain a NUL character`);
  if (Buffer.byteLength(name) > longestNameBytes) {
    throw badRequest(`${kind} name must not exceed ${longestNameBytes} bytes`);
  }
}

function list(): string {
  return reservedNames.join(", ");
}

/** A role's password, if the platform knows one. */
export function requirePassword(role: RoleRow): string {
  if (role.password !== undefined) return role.password;
  throw new Refusal(412, `password of role "${role.name}" is not stored`);
}
