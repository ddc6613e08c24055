// Generated from api/lookups/function-log.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** A line of the log of a function. */
export interface FunctionLogLine {
  /** Time of the line (ISO 8601, UTC). */
  readonly timestamp: string;
  /** Text of the line. */
  readonly message: string;
  /**
   * Origin of the line. It ends with `app` for what the code writes, with `request` for the begin and end of a request.
   */
  readonly scopeName?: string;
  /** Severity, such as `info` or `error`. */
  readonly severityText?: string;
  /** Id of the request. Absent outside of a request. */
  readonly traceId?: string;
}

/** Lines of the log of a function. */
export interface FunctionLogResult {
  /** Lines, the newest first. */
  readonly lines: FunctionLogLine[];
  /** Whether there are more lines than the result has. */
  readonly isTruncated: boolean;
}

/** Arguments of `getFunctionLog`. */
export interface GetFunctionLogArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the branch. */
  readonly branchId: string;
  /** Slug of the function. */
  readonly slug: string;
  /**
   * Length of the time to read, up to `endTime`, such as `30m`. At most `7d`. Conflicts with `startTime`. Default:
   * `1h`.
   */
  readonly since?: string;
  /** Start of the time to read. Conflicts with `since`. */
  readonly startTime?: string;
  /** End of the time to read, exclusive. Default: now. */
  readonly endTime?: string;
  /** Reads only what the code writes (`app`), or only the begin and end of requests (`request`). Default: both. */
  readonly scope?: "app" | "request";
  /** Reads lines of exactly this severity only, such as `error`. */
  readonly severityText?: string;
  /** Reads lines that contain this text only. Upper and lower case differ. */
  readonly bodyContains?: string;
  /** Reads lines of the request with this trace id only. */
  readonly traceId?: string;
  /** Number of lines to read, at most 1000. Default: 100. */
  readonly limit?: number;
}

const getFunctionLogSource = dataSource<GetFunctionLogArgs, FunctionLogResult>("getFunctionLog");

/**
 * Reads the latest lines that a function of a branch has logged, such as those of its errors. Fails if the branch has
 * no function of this slug. Neon keeps lines for 3 days. Neon's API for it is in private beta.
 *
 * Neon API: `POST /projects/{project_id}/branches/{branch_id}/logs/query`.
 *
 * @example
 * ```ts
 * const project = new neon.Project("shop", { regionId: "aws-us-east-2" });
 * const at = { projectId: project.id, branchId: project.defaultBranchId };
 * const api = new neon.Function("api", { ...at, code: neon.bundle("api/index.ts") });
 * const log = neon.getFunctionLogOutput({ ...at, slug: api.slug, since: "10m", severityText: "error" });
 * export const errors = log.lines;
 * ```
 */
export function getFunctionLog(args: GetFunctionLogArgs, options?: LookupOptions) {
  return getFunctionLogSource.invoke(args, options);
}

/** Output form of {@link getFunctionLog}: the arguments can be outputs. */
export function getFunctionLogOutput(args: Inputs<GetFunctionLogArgs>, options?: LookupOptions) {
  return getFunctionLogSource.output(args, options);
}
