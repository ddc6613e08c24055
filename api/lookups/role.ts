import { z } from "zod";

import { roles } from "../schemas/role";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";

/** The Postgres roles of a branch. */
export const getRoles = lookup("getRoles", () => ({
  args: {
    projectId: idArgument.describe("Project of the branch."),
    branchId: idArgument.describe("Branch whose roles to list."),
  },
  result: z.array(
    z
      .strictObject({
        branchId: z.string().describe("Branch of the role."),
        name: z.string().describe("Name of the role, unique on the branch."),
        protected: z.boolean().optional().describe("Whether Neon manages the role."),
        authenticationMethod: z
          .string()
          .optional()
          .describe("`password`, `oauth` or `no_login`. Newer versions of the API can return other values."),
        createdAt: z.string().describe("Time of creation (ISO 8601, UTC)."),
        updatedAt: z.string().optional().describe("Time of the last change (ISO 8601, UTC)."),
      })
      .meta({ title: "RoleResult", description: "A Postgres role, without its password." }),
  ),
  list: "roles",
  read: async ({ client }, { projectId, branchId }) => (await client.send(roles.list(projectId, branchId))).roles,
}));
