import { z } from "zod";

import { advisorCategory, advisorIssue, advisors, advisorSeverity } from "../schemas/advisor";
import { objectId } from "../schemas/wire";
import { idArgument, ofProject } from "./id-argument";
import { lookup } from "./lookup";
import { resultOf } from "./result";

/** The issues that the advisor has found in a database. */
export const getAdvisorIssues = lookup("getAdvisorIssues", () => ({
  args: {
    ...ofProject,
    branchId: idArgument.optional().describe("Branch to analyze. Default: the default branch."),
    databaseName: objectId.optional().describe("Database to analyze. Required if the branch has several."),
    category: advisorCategory.optional().describe("Lists issues of this category only."),
    minSeverity: advisorSeverity.optional().describe("Lists issues of this severity and higher ones only."),
  },
  result: z.array(resultOf(advisorIssue, "AdvisorIssueResult", "A finding of the advisor in a database.")),
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
