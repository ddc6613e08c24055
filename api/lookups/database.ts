import { z } from "zod";

import { camelObject } from "../camel-shape";
import { database, databases } from "../schemas/database";
import { objectId } from "../schemas/wire";
import { lookup } from "./lookup";

/** The databases of a branch. */
export const getDatabases = lookup("getDatabases", {
  args: { projectId: objectId, branchId: objectId },
  result: z.array(camelObject(database.extend({ id: z.int() }))),
  list: "databases",
  read: async ({ client }, { projectId, branchId }) =>
    (await client.send(databases.list(projectId, branchId))).databases,
});
