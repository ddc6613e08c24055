import { z } from "zod";

import type { LocalPaths } from "../http/local-route";
import { validate } from "../model/routing/validation";
import { schemaComparisonResponse, schemaResponse } from "../model/branches/branch-schema";
import type { ControlPlane } from "../model/control-plane";
import { id } from "../published/values";

const schemaQuery = z.strictObject({
  branch_id: id,
  database_name: z.string().min(1),
  format: z.enum(["sql", "json"]),
});

const comparisonQuery = z.strictObject({
  branch_id: id,
  base_branch_id: id,
  database_name: z.string().min(1),
});

/** The schema of a database, and its difference to another branch, for the console. These routes start no compute. */
export const schemaPaths: LocalPaths = {
  "/local/schema": {
    GET: {
      handle: async ({ controlPlane, query }) => {
        const { branch_id: id, database_name: name, format } = validate(schemaQuery, query, "query parameter");
        const { branch, project } = branchWithProject(controlPlane, id);
        return await schemaResponse(controlPlane, project, branch, { db_name: name, format });
      },
    },
  },
  "/local/compare_schema": {
    GET: {
      handle: async ({ controlPlane, query }) => {
        const input = validate(comparisonQuery, query, "query parameter");
        const { branch, project } = branchWithProject(controlPlane, input.branch_id);
        const comparison = { db_name: input.database_name, base_branch_id: input.base_branch_id };
        return await schemaComparisonResponse(controlPlane, project, branch, comparison);
      },
    },
  },
};

function branchWithProject({ tables }: ControlPlane, id: string) {
  const branch = tables.branches.getOr404("branch", { id, deleted_at: null });
  return { branch, project: tables.projects.getOr404("project", { id: branch.project_id, deleted_at: null }) };
}
