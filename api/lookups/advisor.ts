import { z } from "zod";

import { advisorCategory, advisors, advisorSeverity } from "../schemas/advisor";
import { objectId } from "../schemas/wire";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";

/** What the advisor has found in a database. */
export const getAdvisorIssues = lookup("getAdvisorIssues", () => ({
  args: {
    projectId: idArgument.describe("Project to analyze."),
    branchId: idArgument.optional().describe("Branch to analyze. Default: the default branch."),
    databaseName: objectId.optional().describe("Database to analyze. Required if the branch has several."),
    category: advisorCategory.optional().describe("Lists issues of this category only."),
    minSeverity: advisorSeverity.optional().describe("Lists issues of this severity and higher ones only."),
  },
  result: z.array(
    z
      .strictObject({
        name: z.string().describe("Kind of the issue, such as `rls_disabled_in_public`."),
        title: z.string().describe("Title of the issue."),
        level: z.string().describe("Severity: `ERROR`, `WARN`, `INFO`."),
        facing: z.string().describe("`EXTERNAL` if it affects what an API exposes, or else `INTERNAL`."),
        categories: z.array(z.string()).describe("Categories: `SECURITY`, `PERFORMANCE`."),
        description: z.string().describe("What this check detects."),
        detail: z.string().describe("What was found, with the names of objects."),
        remediation: z.string().describe("URL of a page that says how to fix it."),
        cacheKey: z.string().describe("Text that is the same for the same issue."),
      })
      .meta({ title: "AdvisorIssueResult", description: "What the advisor has found in a database." }),
  ),
  list: "issues",
  explanations: {
    400: "A branch with several databases needs `databaseName`. Otherwise correct the arguments.",
    422: "The advisor needs a database with a Data API. Declare a `DataApi`, and use its output `databaseName` here, so that Pulumi creates it first.",
  },
  read: async ({ client }, { projectId, branchId, databaseName, category, minSeverity }) => {
    const query = { branch_id: branchId, database_name: databaseName, category, min_severity: minSeverity };
    return (await client.send(advisors.issues(projectId, query))).issues;
  },
}));
