import { randomUUID } from "node:crypto";

import { conflict } from "../../http-error";
import { normalizeEmail } from "../accounts/user";
import { publicMembers } from "../../storage/table";
import { inWholeSeconds } from "../../storage/timestamps";
import type { ControlPlane } from "../control-plane";
import type { UserRow } from "../accounts/user-row";
import { type PermissionRow, permissionTable } from "./project-permission-row";
import type { ProjectRow } from "./project-row";

/** Shares a project with an address, whether or not an account with it exists. */
export function grantPermission(controlPlane: ControlPlane, project: ProjectRow, email: string): PermissionRow {
  const { permissions } = controlPlane.tables;
  const address = normalizeEmail(email);
  if (permissions.get({ project_id: project.id, granted_to_email: address, revoked_at: null })) {
    throw conflict(`access to the project is granted to ${address} already`);
  }
  const permission: PermissionRow = {
    id: randomUUID(),
    project_id: project.id,
    granted_to_email: address,
    granted_at: controlPlane.timestamps.next(),
    revoked_at: null,
  };
  permissions.put(permission);
  return permission;
}

export function revokePermission(controlPlane: ControlPlane, project: ProjectRow, id: string): PermissionRow {
  const { permissions } = controlPlane.tables;
  const found = permissions.getOr404("permission", { id, project_id: project.id, revoked_at: null });
  const revoked = { ...found, revoked_at: controlPlane.timestamps.next() };
  permissions.put(revoked);
  return revoked;
}

/** The permissions of a project that are in effect. */
export function listPermissions({ tables }: ControlPlane, project: ProjectRow): PermissionRow[] {
  return tables.permissions.list({ project_id: project.id, revoked_at: null }, "ORDER BY granted_at");
}

/** Whether a project is shared with a user. */
export function hasPermission({ tables }: ControlPlane, projectId: string, { email }: UserRow): boolean {
  const where = { project_id: projectId, granted_to_email: email, revoked_at: null };
  return tables.permissions.get(where) !== undefined;
}

/** A permission as the API returns it. */
export function permissionResponse(row: PermissionRow): object {
  const { revoked_at } = inWholeSeconds(row);
  return { ...publicMembers(permissionTable, row), ...(revoked_at !== null && { revoked_at }) };
}
