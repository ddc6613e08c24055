import { z } from "zod";

import { path, request } from "../core/request";

export const advisorCategory = z.enum(["SECURITY", "PERFORMANCE"]);
export const advisorSeverity = z.enum(["INFO", "WARN", "ERROR"]);

/** What the advisor has found in a database. */
export const advisorIssue = z.looseObject({
  name: z.string(),
  title: z.string(),
  level: z.string(),
  facing: z.string(),
  categories: z.array(z.string()),
  description: z.string(),
  detail: z.string(),
  remediation: z.string(),
  cache_key: z.string(),
});
export type AdvisorIssue = z.infer<typeof advisorIssue>;

/** Which issues to read, as the query has it. */
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
