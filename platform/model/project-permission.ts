import { randomUUID } from "node:crypto";

import { conflict, notFound } from "../http-error";
import type { ControlPlane } from "./control-plane";
import type { PermissionRow, ProjectRow, UserRow } from "./rows";
import { addressOf } from "./user";

/** Gives the account of an address access to a project; the account may be made later. */
export function grantPermission(plane: ControlPlane, project: ProjectRow, email: string): PermissionRow {
  const { permissions } = plane.tables;
  const address = addressOf(email);
  if (permissions.get({ project_id: project.id, granted_to_email: address, revoked_at: null })) {
    throw conflict(`access to the project is granted to ${address} already`);
  }
  const permission: PermissionRow = {
    id: randomUUID(),
    project_id: project.id,
    granted_to_email: address,
    granted_at: plane.stamps.next(),
    revoked_at: null,
  };
  permissions.put(permission);
  return permission;
}

/** Takes the access away again, at once. */
export function revokePermission(plane: ControlPlane, project: ProjectRow, id: string): PermissionRow {
  const { permissions } = plane.tables;
  const found = permissions.get({ id, project_id: project.id, revoked_at: null });
  if (!found) throw notFound("permission");
  const revoked = { ...found, revoked_at: plane.stamps.next() };
  permissions.put(revoked);
  return revoked;
}

/** All that were ever granted on a project, those that were revoked, too. */
export function permissionsOf({ tables }: ControlPlane, project: ProjectRow): PermissionRow[] {
  return tables.permissions.list({ project_id: project.id }, "ORDER BY granted_at");
}

/** Whether a user has been given access to a project. */
export function isGrantedTo({ tables }: ControlPlane, projectId: string, { email }: UserRow): boolean {
  const where = { project_id: projectId, granted_to_email: email, revoked_at: null };
  return tables.permissions.get(where) !== undefined;
}

/** A permission as clients see it. */
export function permissionAnswer({ project_id: _project, revoked_at, ...shown }: PermissionRow): object {
  return { ...shown, ...(revoked_at !== null && { revoked_at }) };
}
