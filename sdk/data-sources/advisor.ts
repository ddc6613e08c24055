// Generated from api/lookups/advisor.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** A finding of the advisor in a database. */
export interface AdvisorIssueResult {
  /** Kind of the issue, such as `rls_disabled_in_public`. */
  readonly name: string;
  /** Title of the issue. */
  readonly title: string;
  /** Severity: `ERROR`, `WARN`, `INFO`. */
  readonly level: string;
  /** `EXTERNAL` if it affects what an API exposes, or else `INTERNAL`. */
  readonly facing: string;
  /** Categories: `SECURITY`, `PERFORMANCE`. */
  readonly categories: string[];
  /** The problem that this check detects. */
  readonly description: string;
  /** The finding, with the names of objects. */
  readonly detail: string;
  /** URL of a page that says how to fix it. */
  readonly remediation: string;
  /** Text that is the same for the same issue. */
  readonly cacheKey: string;
}

/** Arguments of `getAdvisorIssues`. */
export interface GetAdvisorIssuesArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Branch to analyze. Default: the default branch. */
  readonly branchId?: string;
  /** Database to analyze. Required if the branch has several. */
  readonly databaseName?: string;
  /** Lists issues of this category only. */
  readonly category?: "SECURITY" | "PERFORMANCE";
  /** Lists issues of this severity and higher ones only. */
  readonly minSeverity?: "INFO" | "WARN" | "ERROR";
}

const getAdvisorIssuesSource = dataSource<GetAdvisorIssuesArgs, AdvisorIssueResult[]>("getAdvisorIssues");

/**
 * Lists the security and performance issues that Neon finds in a database. Neon requires that its Data API is enabled.
 *
 * Neon API: `GET /projects/{project_id}/advisors`.
 *
 * @example
 * ```ts
 * const api = new neon.DataApi("api", {
 *   projectId: project.id,
 *   branchId: project.defaultBranchId,
 *   databaseName: "neondb",
 * });
 * const issues = neon.getAdvisorIssuesOutput({ projectId: api.projectId, category: "SECURITY" });
 * export const details = issues.apply((all) => all.map(({ detail }) => detail));
 * ```
 *
 * @example
 * ```ts
 * export const severe = neon.getAdvisorIssuesOutput({
 *   projectId: api.projectId,
 *   branchId: api.branchId,
 *   databaseName: api.databaseName,
 *   minSeverity: "ERROR",
 * });
 * ```
 */
export function getAdvisorIssues(args: GetAdvisorIssuesArgs, options?: LookupOptions) {
  return getAdvisorIssuesSource.invoke(args, options);
}

/** Output form of {@link getAdvisorIssues}: the arguments can be outputs. */
export function getAdvisorIssuesOutput(args: Inputs<GetAdvisorIssuesArgs>, options?: LookupOptions) {
  return getAdvisorIssuesSource.output(args, options);
}
