import { z } from "zod";

import { databases } from "../schemas/database";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";

/** The databases of a branch. */
export const getDatabases = lookup("getDatabases", () => ({
  args: {
    projectId: idArgument.describe("Project of the branch."),
    branchId: idArgument.describe("Branch whose databases to list."),
  },
  result: z.array(
    z
      .strictObject({
        id: z.int().describe("Numeric id of the database. It does not change if the database is renamed."),
        branchId: z.string().describe("Branch of the database."),
        name: z.string().describe("Name of the database, unique on the branch."),
        ownerName: z.string().describe("Role that owns the database."),
        createdAt: z.string().describe("Time of creation (ISO 8601, UTC)."),
        updatedAt: z.string().optional().describe("Time of the last change (ISO 8601, UTC)."),
      })
      .meta({ title: "DatabaseResult", description: "A database." }),
  ),
  list: "databases",
  read: async ({ client }, { projectId, branchId }) =>
    (await client.send(databases.list(projectId, branchId))).databases,
}));
