import { z } from "zod";

import { database, databases } from "../schemas/database";
import { ofBranch } from "./id-argument";
import { lookup } from "./lookup";
import { resultOf } from "./result";

/** The databases of a branch. */
export const getDatabases = lookup("getDatabases", () => ({
  args: ofBranch,
  result: z.array(resultOf(database, "DatabaseResult", "A database.")),
  list: "databases",
  read: async ({ client }, { projectId, branchId }) =>
    (await client.send(databases.list(projectId, branchId))).databases,
}));
