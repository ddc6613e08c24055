import { z } from "zod";

import { path, request } from "../core/request";

export const advisorCategory = z.enum(["SECURITY", "PERFORMANCE"]);
export const advisorSeverity = z.enum(["INFO", "WARN", "ERROR"]);

/** An issue that the advisor has found in a database. */
export const advisorIssue = z.looseObject({
  name: z.string().describe("Kind of the issue, such as `rls_disabled_in_public`."),
  title: z.string().describe("Title of the issue."),
  level: z.string().describe("Severity: `ERROR`, `WARN`, `INFO`."),
  facing: z.string().describe("`EXTERNAL` if it affects what an API exposes, or else `INTERNAL`."),
  categories: z.array(z.string()).describe("Categories: `SECURITY`, `PERFORMANCE`."),
  description: z.string().describe("The problem that this check detects."),
  detail: z.string().describe("The finding, with the names of objects."),
  remediation: z.string().describe("URL of a page that says how to fix it."),
  cache_key: z.string().describe("Text that is the same for the same issue."),
});
export type AdvisorIssue = z.infer<typeof advisorIssue>;

/** The query that selects which issues to read. */
export const advisorQuery = z.object({
  branch_id: z.string().optional(),
  database_name: z.string().optional(),
  category: advisorCategory.optional(),
  min_severity: advisorSeverity.optional(),
});
export type AdvisorQuery = z.infer<typeof advisorQuery>;

const issueList = z.looseObject({ issues: z.array(advisorIssue) });

/** Requests to the advisor of a project. */
export const advisors = {
  issues: (projectId: string, query: AdvisorQuery) =>
    request("GET", path`/projects/${projectId}/advisors`, issueList, { query }),
};
