import { z } from "zod";

import { toWire } from "../camel-case";
import { camelShape } from "../camel-shape";
import { invalid } from "../errors";
import { branches, branchSchemaQuery, schemaComparisonQuery, schemaTable } from "../schemas/branch";
import { objectId } from "../schemas/wire";
import { lookup } from "./lookup";

const { element: column } = schemaTable.shape.columns;
const { element: constraint } = schemaTable.shape.constraints.unwrap();
const table = z.strictObject({
  ...schemaTable.shape,
  columns: z.array(z.strictObject(column.shape)),
  constraints: z
    .array(
      z.strictObject({
        ...constraint.omit({ referenced_table: true }).shape,
        referencedTable: z.strictObject(constraint.shape.referenced_table.unwrap().shape).optional(),
      }),
    )
    .optional(),
});

const place = { projectId: objectId, branchId: objectId, databaseName: branchSchemaQuery.shape.db_name };

/** The schema of a database, now or at a point in the history of its branch. */
export const getBranchSchema = lookup("getBranchSchema", {
  args: { ...place, ...camelShape(branchSchemaQuery.omit({ db_name: true }).shape) },
  exclusive: [["lsn", "timestamp"]],
  result: z.strictObject({ sql: z.string().optional(), tables: z.array(table).optional() }),
  read: async ({ client }, { projectId, branchId, databaseName, lsn, timestamp, format = "sql" }) => {
    const query = { db_name: databaseName, lsn, timestamp, format };
    const { sql, json } = await client.send(branches.schema(projectId, branchId, query));
    if (format === "json" && json !== undefined) return { tables: json.tables };
    if (format === "sql" && sql !== undefined) return { sql };
    throw invalid(`Neon returned no schema of the database "${databaseName}" as ${format}.`);
  },
});

/** The difference between the schemas of a database on two branches. */
export const compareSchema = lookup("compareSchema", {
  args: { ...place, ...camelShape(schemaComparisonQuery.omit({ db_name: true }).shape) },
  exclusive: [
    ["lsn", "timestamp"],
    ["baseLsn", "baseTimestamp"],
  ],
  result: z.strictObject({ diff: z.string() }),
  read: async ({ client }, { projectId, branchId, databaseName, ...points }) => {
    const query = { db_name: databaseName, ...toWire(points) };
    const { diff } = await client.send(branches.compareSchema(projectId, branchId, query));
    if (diff !== undefined) return { diff };
    throw invalid(`Neon returned no comparison of the database "${databaseName}".`);
  },
});
