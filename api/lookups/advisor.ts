import { z } from "zod";

import { camelObject } from "../camel-shape";
import { advisorCategory, advisorIssue, advisors, advisorSeverity } from "../schemas/advisor";
import { objectId } from "../schemas/wire";
import { lookup } from "./lookup";

/** What the advisor has found in a database. */
export const getAdvisorIssues = lookup("getAdvisorIssues", {
  args: {
    projectId: objectId,
    branchId: objectId.optional(),
    databaseName: objectId.optional(),
    category: advisorCategory.optional(),
    minSeverity: advisorSeverity.optional(),
  },
  result: z.array(camelObject(advisorIssue)),
  list: "issues",
  read: async ({ client }, { projectId, branchId, databaseName, category, minSeverity }) => {
    const query = { branch_id: branchId, database_name: databaseName, category, min_severity: minSeverity };
    return (await client.send(advisors.issues(projectId, query))).issues;
  },
});
