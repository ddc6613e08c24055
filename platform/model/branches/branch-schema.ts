import type { BranchSchemaQuery, SchemaComparisonQuery } from "../../../api/schemas/branch";
import { badRequest } from "../../http-error";
import type { ControlPlane } from "../control-plane";
import type { BranchRow, ProjectRow } from "../rows";
import { getBranch } from "./branch";
import { getDatabase } from "./database";
import { pointInHistory, type RequestedPoint } from "./history";

/**
 * The schema of a database without tables. The local platform runs no Postgres, so nobody can create a table: every
 * database has this schema at every point of its history.
 */
const emptySchema = {
  sql: "--\n-- PostgreSQL database dump\n--\n\n--\n-- PostgreSQL database dump complete\n--\n",
  json: { tables: [] },
};

/** The schema of a database, as SQL or as JSON. */
export function schemaResponse(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  { db_name: database, lsn, timestamp, format = "sql" }: BranchSchemaQuery,
): object {
  requireDatabase(controlPlane, project, branch, database, { lsn, timestamp }, "");
  return { [format]: emptySchema[format] };
}

/** The difference between the schemas of a database on two branches: this one and, by default, its parent. */
export function schemaComparisonResponse(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  query: SchemaComparisonQuery,
): object {
  const baseId = query.base_branch_id ?? branch.parent_id;
  if (baseId === undefined) throw badRequest("base_branch_id is required for a branch without a parent");
  const base = getBranch(controlPlane, project.id, baseId);
  const { db_name: database, lsn, timestamp, base_lsn: baseLsn, base_timestamp: baseTimestamp } = query;
  requireDatabase(controlPlane, project, branch, database, { lsn, timestamp }, "");
  requireDatabase(controlPlane, project, base, database, { lsn: baseLsn, timestamp: baseTimestamp }, "base_");
  return { diff: "" };
}

function requireDatabase(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  database: string,
  point: RequestedPoint,
  prefix: "" | "base_",
): void {
  pointInHistory(controlPlane, project, branch, point, prefix);
  getDatabase(controlPlane, branch.id, database);
}
