import { z } from "zod";

import { toWire } from "../core/camel-case";
import { camelShape } from "../core/camel-shape";
import { invalid } from "../core/errors";
import { branches, branchSchemaQuery, schemaComparisonQuery, schemaTable } from "../schemas/branch";
import { ofBranch } from "./id-argument";
import { lookup } from "./lookup";
import { resultOf } from "./result";

const notThere =
  "The branch or the database does not exist, or this API key cannot see them. Of a database that the program declares, use the output `name`, so that Pulumi creates it first.";

/** The schema of a database, now or at a point in the history of its branch. */
export const getBranchSchema = lookup("getBranchSchema", () => ({
  args: {
    ...ofBranch,
    databaseName: branchSchemaQuery.shape.db_name,
    ...branchSchemaQuery.omit({ db_name: true }).shape,
  },
  exclusive: [["lsn", "timestamp"]],
  explanations: { 404: notThere },
  result: z
    .strictObject({
      sql: z.string().optional().describe("SQL that creates the schema. Set if `format` is `sql`."),
      tables: z
        .array(resultOf(schemaTable, "SchemaTable", "A table of a database."))
        .optional()
        .describe("Tables of the database. Set if `format` is `json`."),
    })
    .meta({ title: "BranchSchemaResult", description: "The schema of a database, in the requested format." }),
  read: async ({ client }, { projectId, branchId, databaseName, lsn, timestamp, format = "sql" }) => {
    const query = { db_name: databaseName, lsn, timestamp, format };
    const { sql, json } = await client.send(branches.schema(projectId, branchId, query));
    if (format === "json" && json !== undefined) return { tables: json.tables };
    if (format === "sql" && sql !== undefined) return { sql };
    throw invalid(`Neon returned no schema of the database "${databaseName}" as ${format}.`);
  },
}));

/** The difference between the schemas of a database on two branches. */
export const compareSchema = lookup("compareSchema", () => ({
  args: {
    ...ofBranch,
    databaseName: branchSchemaQuery.shape.db_name.describe("Name of the database. It must exist on both branches."),
    ...camelShape(schemaComparisonQuery.omit({ db_name: true }).shape),
  },
  exclusive: [
    ["lsn", "timestamp"],
    ["baseLsn", "baseTimestamp"],
  ],
  explanations: {
    400: "A branch without a parent needs `baseBranchId`. Otherwise correct the arguments.",
    404: notThere,
  },
  result: z
    .strictObject({
      diff: z
        .string()
        .describe(
          "Difference in the format of `diff -u`, from the base branch to the branch. Empty if the schemas are equal.",
        ),
    })
    .meta({ title: "CompareSchemaResult", description: "The difference between two schemas." }),
  read: async ({ client }, { projectId, branchId, databaseName, ...points }) => {
    const query = { db_name: databaseName, ...toWire(points) };
    const { diff } = await client.send(branches.compareSchema(projectId, branchId, query));
    if (diff !== undefined) return { diff };
    throw invalid(`Neon returned no comparison of the database "${databaseName}".`);
  },
}));
