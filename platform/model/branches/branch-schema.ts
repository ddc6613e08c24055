import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";

import type { BranchSchemaQuery, SchemaComparisonQuery } from "../../../api/schemas/branch";
import { badRequest } from "../../http-error";
import type { Answer, vendor } from "../../published/answers";
import type { ControlPlane } from "../control-plane";
import type { SchemaReader, SchemaSource } from "../databases";
import { requireUnlockedProject } from "../operations/project-lock";
import type { ProjectRow } from "../projects/project-row";
import type { BranchRow } from "./branch-row";
import { getBranch } from "./branch-state";
import { getDatabase } from "./database";
import { momentOf, pointInHistory } from "./history";

/** Without Postgres nobody can create a table, so every database is empty at every point of its history. */
const emptySchemas: SchemaReader = {
  sql: async () =>
    await Promise.resolve("--\n-- PostgreSQL database dump\n--\n\n--\n-- PostgreSQL database dump complete\n--\n"),
  unprotected: async () => await Promise.resolve([]),
  json: async () => await Promise.resolve({ tables: [] }),
};

/** The schema of a database, as SQL or as JSON. */
export async function schemaResponse(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  query: BranchSchemaQuery,
) {
  const { format = "sql" } = query;
  const source = sourceOf(controlPlane, project, branch, "", query);
  return { [format]: await schemasOf(controlPlane)[format](source) } satisfies Answer<vendor.BranchSchemaResponse>;
}

/** Compares the schemas of a database on two branches: from the base, by default the parent, to this branch. */
export async function schemaComparisonResponse(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  query: SchemaComparisonQuery,
) {
  const baseId = query.base_branch_id ?? branch.parent_id;
  if (baseId === undefined) throw badRequest("base_branch_id is required for a branch without a parent");
  const base = getBranch(controlPlane, project.id, baseId);
  const newSource = sourceOf(controlPlane, project, branch, "", query);
  const oldSource = sourceOf(controlPlane, project, base, "base_", query);
  const schemas = schemasOf(controlPlane);
  return {
    diff: unifiedDiff(query.db_name, await schemas.sql(oldSource), await schemas.sql(newSource)),
  } satisfies Answer<vendor.BranchSchemaCompareResponse>;
}

/** The difference in the format of `diff -u`; empty if there is none. */
function unifiedDiff(name: string, before: string, after: string): string {
  const label = /^[\w.-]+$/.test(name) ? name : JSON.stringify(name);
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  return before === after
    ? ""
    : createTwoFilesPatch(`a/${label}`, `b/${label}`, before, after, undefined, undefined, options);
}

const schemasOf = ({ databases }: ControlPlane): SchemaReader => databases?.schemas ?? emptySchemas;

/** The tables of a database whose rows no policy protects. */
export async function unprotectedTables(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  database: string,
): Promise<readonly string[]> {
  return await schemasOf(controlPlane).unprotected(sourceOf(controlPlane, project, branch, "", { db_name: database }));
}

/** @throws HttpError if the database or the point of the history does not exist, or the branch has no data yet. */
function sourceOf(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  prefix: "" | "base_",
  query: SchemaComparisonQuery,
): SchemaSource {
  pointInHistory(controlPlane, project, branch, prefix, query);
  const { name, catalog } = getDatabase(controlPlane, branch.id, query.db_name);
  if (controlPlane.databases && branch.current_state === "init") requireUnlockedProject(controlPlane, project.id);
  const moment = momentOf(prefix, query);
  return { branchId: branch.id, major: project.pg_version, database: name, oid: catalog?.oid, moment };
}
