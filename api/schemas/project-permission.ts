import { z } from "zod";

import { path, request } from "../core/request";
import { timestamp } from "./wire";

/** A user's access to a project. The list may contain revoked permissions. */
export const projectPermission = z.looseObject({
  id: z.string().describe("Id of the permission."),
  granted_to_email: z.string().describe("E-mail address of the account that the project is shared with."),
  granted_at: timestamp.describe("Time at which access was granted (ISO 8601, UTC)."),
  revoked_at: timestamp
    .optional()
    .describe("Time at which access was revoked (ISO 8601, UTC). Absent if it is not revoked."),
});
export type ProjectPermission = z.infer<typeof projectPermission>;

export const permissionGrant = z.object({ email: z.email("must be an e-mail address").max(256) });

/** The response to a grant or revocation. */
const permissionChanged = z.object(projectPermission.shape);
const permissionList = z.looseObject({ project_permissions: z.array(projectPermission) });

/** Whether a permission is in effect. */
export function isGranted({ revoked_at }: ProjectPermission): boolean {
  return revoked_at === undefined;
}

/** Requests for the permissions of a project. */
export const permissions = {
  list: (projectId: string) => request("GET", path`/projects/${projectId}/permissions`, permissionList),
  grant: (projectId: string, email: string) =>
    request("POST", path`/projects/${projectId}/permissions`, permissionChanged, { body: { email } }),
  revoke: (projectId: string, permissionId: string) =>
    request("DELETE", path`/projects/${projectId}/permissions/${permissionId}`, permissionChanged),
};
