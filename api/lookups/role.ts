import { z } from "zod";

import { camelObject } from "../camel-shape";
import { role, roles } from "../schemas/role";
import { objectId } from "../schemas/wire";
import { lookup } from "./lookup";

/** The Postgres roles of a branch. */
export const getRoles = lookup("getRoles", {
  args: { projectId: objectId, branchId: objectId },
  result: z.array(camelObject(role.omit({ password: true }))),
  list: "roles",
  read: async ({ client }, { projectId, branchId }) => (await client.send(roles.list(projectId, branchId))).roles,
});
