import { z } from "zod";

import { role, roles } from "../schemas/role";
import { ofBranch } from "./id-argument";
import { lookup } from "./lookup";
import { resultOf } from "./result";

/** The Postgres roles of a branch. */
export const getRoles = lookup("getRoles", () => ({
  args: ofBranch,
  result: z.array(resultOf(role.omit({ password: true }), "RoleResult", "A Postgres role, without its password.")),
  list: "roles",
  read: async ({ client }, { projectId, branchId }) => (await client.send(roles.list(projectId, branchId))).roles,
}));
