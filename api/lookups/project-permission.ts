import { z } from "zod";

import { permissions, projectPermission } from "../schemas/project-permission";
import { ofProject } from "./id-argument";
import { lookup } from "./lookup";
import { resultOf } from "./result";

/** The accounts that a project is shared with. */
export const getPermissions = lookup("getPermissions", () => ({
  reads: ["ProjectPermission"],
  args: ofProject,
  result: z.array(
    resultOf(projectPermission, "PermissionResult", "Access of an account to a project that is shared with it."),
  ),
  list: "permissions",
  read: async ({ client }, { projectId }) => (await client.send(permissions.list(projectId))).project_permissions,
}));
