import { randomUUID } from "node:crypto";

import { conflict } from "../../http-error";
import type { Answer, vendor } from "../../published/answers";
import * as published from "../../published/requests";
import { inWholeSeconds, pick } from "../../storage/timestamps";
import { normalizeEmail } from "../accounts/user";
import type { RowTable } from "../containment";
import type { ControlPlane } from "../control-plane";
import { projectMember } from "../routing/authorization";
import { allow, type ApiPaths } from "../routing/route";
import type { ProjectRow } from "./project-row";

/** Shares a project with a user. */
export interface PermissionRow {
  id: string;
  project_id: string;
  granted_to_email: string;
  granted_at: string;
  revoked_at: string | null;
}

export const permissionTable: RowTable<PermissionRow> = {
  name: "permissions",
  within: "project",
  columns: ["revoked_at"],
  indexes: ["project_id, granted_at", "granted_to_email"],
  latest: "granted_at",
};

export const permissionPaths: ApiPaths = {
  "/projects/:project_id/permissions": {
    GET: allow(projectMember, ({ controlPlane: { tables }, project }) => ({
      project_permissions: tables.permissions
        .list({ project_id: project.id, revoked_at: null }, "ORDER BY granted_at")
        .map(permissionResponse),
    })),
    POST: allow({ ...projectMember, ...published.grantPermissionToProject }, ({ controlPlane, project, body }) =>
      permissionResponse(grantPermission(controlPlane, project, body.email)),
    ),
  },
  "/projects/:project_id/permissions/:permission_id": {
    DELETE: allow(projectMember, ({ controlPlane: { tables, timestamps }, project, parameter }) => {
      const where = { id: parameter("permission_id"), project_id: project.id, revoked_at: null };
      const revoked = { ...tables.permissions.getOr404("permission", where), revoked_at: timestamps.next() };
      tables.permissions.put(revoked);
      return permissionResponse(revoked);
    }),
  },
};

/** Shares a project with an address, whether or not an account with it exists. */
function grantPermission(controlPlane: ControlPlane, project: ProjectRow, email: string): PermissionRow {
  const { permissions } = controlPlane.tables;
  const address = normalizeEmail(email);
  if (permissions.get({ project_id: project.id, granted_to_email: address, revoked_at: null })) {
    throw conflict(`access to the project is already granted to ${address}`);
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

function permissionResponse(row: PermissionRow) {
  const { revoked_at } = inWholeSeconds(row);
  return {
    ...pick(row, ["id", "granted_to_email", "granted_at"]),
    ...(revoked_at !== null && { revoked_at }),
  } satisfies Answer<vendor.ProjectPermission>;
}
