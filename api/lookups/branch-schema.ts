import { z } from "zod";

import { toWire } from "../core/camel-case";
import { camelShape } from "../core/camel-shape";
import { invalid } from "../core/errors";
import { lazy } from "../core/lazy";
import { branches, branchSchemaQuery, schemaComparisonQuery } from "../schemas/branch";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";

const column = lazy(() =>
  z
    .strictObject({
      name: z.string().describe("Name of the column."),
      type: z.string().describe("Postgres type, such as `bigint`."),
      nullable: z.boolean().optional().describe("Whether the column accepts NULL."),
      generated: z.boolean().optional().describe("Whether the column is generated from other columns."),
    })
    .meta({ title: "SchemaColumn", description: "A column of a table." }),
);
const reference = lazy(() =>
  z
    .strictObject({
      schema: z.string().describe("Postgres schema of the table."),
      table: z.string().describe("Name of the table."),
      columns: z.array(z.string()).describe("Referenced columns."),
    })
    .meta({ title: "SchemaReference", description: "The table that a foreign key references." }),
);
const constraint = lazy(() =>
  z
    .strictObject({
      type: z
        .string()
        .describe("`primary_key`, `unique` or `foreign_key`. Newer versions of the API can return other values."),
      columns: z.array(z.string()).describe("Constrained columns."),
      name: z.string().optional().describe("Name of the constraint, if it has one."),
      referencedTable: reference().optional().describe("Table that a foreign key references."),
    })
    .meta({ title: "SchemaConstraint", description: "A constraint of a table." }),
);
const table = lazy(() =>
  z
    .strictObject({
      schema: z.string().describe("Postgres schema of the table, such as `public`."),
      name: z.string().describe("Name of the table."),
      columns: z.array(column()).describe("Columns of the table."),
      constraints: z.array(constraint()).optional().describe("Constraints of the table, if Neon returns them."),
    })
    .meta({ title: "SchemaTable", description: "A table of a database." }),
);

const notThere =
  "The branch or the database does not exist, or this API key cannot see them. Of a database that the program declares, use the output `name`, so that Pulumi creates it first.";

const point = camelShape(schemaComparisonQuery.shape);

/** The schema of a database, now or at a point in the history of its branch. */
export const getBranchSchema = lookup("getBranchSchema", () => ({
  args: {
    projectId: idArgument.describe("Project of the branch."),
    branchId: idArgument.describe("Branch of the database."),
    databaseName: branchSchemaQuery.shape.db_name.describe("Name of the database."),
    lsn: branchSchemaQuery.shape.lsn.describe(
      "Log sequence number to read at, such as `0/1DE2850`. Conflicts with `timestamp`. Default: the latest.",
    ),
    timestamp: branchSchemaQuery.shape.timestamp.describe(
      "Time to read at, such as `2030-01-31T12:00:00Z`. Conflicts with `lsn`. Default: now.",
    ),
    format: branchSchemaQuery.shape.format.describe(
      "`sql` returns the member `sql`, `json` the member `tables`. Default: `sql`.",
    ),
  },
  exclusive: [["lsn", "timestamp"]],
  explanations: { 404: notThere },
  result: z
    .strictObject({
      sql: z.string().optional().describe("SQL that creates the schema. Set if `format` is `sql`."),
      tables: z.array(table()).optional().describe("Tables of the database. Set if `format` is `json`."),
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
    projectId: idArgument.describe("Project of the branches."),
    branchId: idArgument.describe("Branch to compare."),
    databaseName: branchSchemaQuery.shape.db_name.describe("Name of the database. It must exist on both branches."),
    baseBranchId: point.baseBranchId.describe(
      "Branch to compare with. Required if the branch has no parent. Default: the parent.",
    ),
    lsn: point.lsn.describe(
      "Log sequence number of the branch to read at, such as `0/1DE2850`. Conflicts with `timestamp`. Default: the latest.",
    ),
    timestamp: point.timestamp.describe(
      "Time to read the branch at, such as `2030-01-31T12:00:00Z`. Conflicts with `lsn`. Default: now.",
    ),
    baseLsn: point.baseLsn.describe(
      "Log sequence number of the base branch to read at. Conflicts with `baseTimestamp`. Default: the latest.",
    ),
    baseTimestamp: point.baseTimestamp.describe(
      "Time to read the base branch at. Conflicts with `baseLsn`. Default: now.",
    ),
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
