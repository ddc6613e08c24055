import type { BranchSchemaQuery, SchemaComparisonQuery } from "../../../api/schemas/branch";
import { badRequest } from "../../http-error";
import type { ControlPlane } from "../control-plane";
import type { BranchRow, ProjectRow } from "../rows";
import { getBranch } from "./branch";
import { getDatabase } from "./database";
import { pointInHistory } from "./history";

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
  query: BranchSchemaQuery,
): object {
  pointInHistory(controlPlane, project, branch, "", query);
  getDatabase(controlPlane, branch.id, query.db_name);
  const { format = "sql" } = query;
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
  pointInHistory(controlPlane, project, branch, "", query);
  getDatabase(controlPlane, branch.id, query.db_name);
  pointInHistory(controlPlane, project, base, "base_", query);
  getDatabase(controlPlane, base.id, query.db_name);
  return { diff: "" };
}
