import { z } from "zod";

import { permissions } from "../schemas/project-permission";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";

/** The accounts that a project is shared with. */
export const getPermissions = lookup("getPermissions", () => ({
  reads: ["ProjectPermission"],
  args: {
    projectId: idArgument.describe("Project whose permissions to list."),
  },
  result: z.array(
    z
      .strictObject({
        id: z.string().describe("Id of the permission."),
        grantedToEmail: z.string().describe("Email address of the account."),
        grantedAt: z.string().describe("Time at which access was granted (ISO 8601, UTC)."),
        revokedAt: z
          .string()
          .optional()
          .describe("Time at which access was revoked (ISO 8601, UTC). Absent if it is not revoked."),
      })
      .meta({ title: "PermissionResult", description: "Access of an account to a project that is shared with it." }),
  ),
  list: "permissions",
  read: async ({ client }, { projectId }) => {
    const { project_permissions: found } = await client.send(permissions.list(projectId));
    return found.map((permission) => ({ ...permission, revoked_at: permission.revoked_at ?? undefined }));
  },
}));
