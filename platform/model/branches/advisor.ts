import type { AdvisorIssue, AdvisorQuery } from "../../../api/schemas/advisor";
import { badRequest, unprocessable } from "../../http-error";
import * as published from "../../published/requests";
import type { ControlPlane } from "../control-plane";
import type { ProjectRow } from "../projects/project-row";
import { projectMember } from "../routing/authorization";
import { allow, type ApiPaths } from "../routing/route";
import type { BranchRow } from "./branch-row";
import { getBranch } from "./branch-state";
import { unprotectedTables } from "./branch-schema";
import { getDatabase, listDatabases } from "./database";

export const advisorPaths: ApiPaths = {
  "/projects/:project_id/advisors": {
    GET: allow(
      { ...projectMember, ...published.getProjectAdvisorSecurityIssues },
      async ({ controlPlane, project, query }) => ({ issues: await advisorIssues(controlPlane, project, query) }),
    ),
  },
};

/** The advisor's findings for a database. The local platform finds only the issue that the published document shows. */
async function advisorIssues(
  controlPlane: ControlPlane,
  project: ProjectRow,
  query: AdvisorQuery,
): Promise<readonly AdvisorIssue[]> {
  const branch = advisedBranch(controlPlane, project, query.branch_id);
  const [first, another] = listDatabases(controlPlane, branch.id);
  if (query.database_name === undefined && another !== undefined) {
    throw badRequest("database_name is required: the branch has several databases");
  }
  const database = query.database_name ?? first?.name;
  if (database === undefined) throw unprocessable("the branch has no database");
  const { data_api } = getDatabase(controlPlane, branch.id, database);
  if (!data_api) throw unprocessable(`database "${database}" has no Data API, which the advisor requires`);
  const tables = await unprotectedTables(controlPlane, project, branch, database);
  // This issue has the highest severity, so no minimum severity hides it.
  return query.category === "PERFORMANCE" ? [] : tables.map((table) => withoutRowSecurity(database, table));
}

function advisedBranch(controlPlane: ControlPlane, { id }: ProjectRow, branchId: string | undefined): BranchRow {
  if (branchId !== undefined) return getBranch(controlPlane, id, branchId);
  return controlPlane.tables.branches.getOr404("branch", { project_id: id, default: 1, deleted_at: null });
}

function withoutRowSecurity(database: string, table: string): AdvisorIssue {
  return {
    name: "rls_disabled_in_public",
    title: "RLS Disabled in Public",
    level: "ERROR",
    facing: "EXTERNAL",
    categories: ["SECURITY"],
    description: "Detects tables in the schema public that have no row-level security.",
    detail: `Table \`public.${table}\` is public, but RLS has not been enabled.`,
    remediation: "https://neon.com/docs/data-api/database-advisor",
    metadata: { schema: "public", name: table, type: "table" },
    cache_key: `rls_disabled_in_public_${database}_public_${table}`,
  };
}
