import { z } from "zod";

import { camelObject } from "../camel-shape";
import { permissions, projectPermission } from "../schemas/project-permission";
import { objectId, timestamp } from "../schemas/wire";
import { lookup } from "./lookup";

/** The accounts that a project is shared with. */
export const getPermissions = lookup("getPermissions", {
  args: { projectId: objectId },
  result: z.array(camelObject(projectPermission.extend({ revoked_at: timestamp.optional() }))),
  list: "permissions",
  read: async ({ client }, { projectId }) => {
    const { project_permissions: found } = await client.send(permissions.list(projectId));
    return found.map((permission) => ({ ...permission, revoked_at: permission.revoked_at ?? undefined }));
  },
});
