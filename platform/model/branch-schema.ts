import type { BranchSchemaQuery, SchemaComparisonQuery } from "../../api/schemas/branch";
import { badRequest } from "../http-error";
import { branchOf } from "./branch";
import type { ControlPlane } from "./control-plane";
import { databaseOf } from "./database";
import { type AskedPoint, pointInHistory } from "./history";
import type { BranchRow, ProjectRow } from "./rows";

/**
 * What a dump of a database without tables comes to. No data passes through the local platform, so that nobody can ever
 * have made one: every database has this schema, at every point of its history.
 */
const emptySchema = {
  sql: "--\n-- PostgreSQL database dump\n--\n\n--\n-- PostgreSQL database dump complete\n--\n",
  json: { tables: [] },
};

/** The schema of a database, as SQL unless asked otherwise. */
export function schemaAnswer(
  plane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  { db_name: database, lsn, timestamp, format = "sql" }: BranchSchemaQuery,
): object {
  requireDatabase(plane, project, branch, database, { lsn, timestamp }, "");
  return { [format]: emptySchema[format] };
}

/** How the schema of a database differs from that of the same database on another branch, by default the parent. */
export function schemaComparisonAnswer(
  plane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  query: SchemaComparisonQuery,
): object {
  const baseId = query.base_branch_id ?? branch.parent_id;
  if (baseId === undefined) throw badRequest("base_branch_id is required for a branch without a parent");
  const base = branchOf(plane, project.id, baseId);
  const { db_name: database, lsn, timestamp, base_lsn: baseLsn, base_timestamp: baseTimestamp } = query;
  requireDatabase(plane, project, branch, database, { lsn, timestamp }, "");
  requireDatabase(plane, project, base, database, { lsn: baseLsn, timestamp: baseTimestamp }, "base_");
  return { diff: "" };
}

function requireDatabase(
  plane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  database: string,
  point: AskedPoint,
  prefix: "" | "base_",
): void {
  pointInHistory(plane, project, branch, point, { lsn: `${prefix}lsn`, timestamp: `${prefix}timestamp` });
  databaseOf(plane, branch.id, database);
}
