// Generated from api/lookups/consumption.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** The value of a metric. */
export interface ConsumptionMetric {
  /** Name of the metric, such as `compute_unit_seconds`; its unit is a part of it. */
  readonly metricName: string;
  /** Value of the metric. */
  readonly value: number;
}

/** The consumption in one timeframe. */
export interface ConsumptionTimeframe {
  /** Start of the timeframe (ISO 8601, UTC). */
  readonly timeframeStart: string;
  /** End of the timeframe (ISO 8601, UTC). */
  readonly timeframeEnd: string;
  /** The metrics that were asked for. */
  readonly metrics?: ConsumptionMetric[];
}

/** The consumption in a billing period. */
export interface ConsumptionPeriod {
  /** Id of the billing period. */
  readonly periodId: string;
  /** Plan in the billing period. */
  readonly periodPlan: string;
  /** Start of the billing period (ISO 8601, UTC). */
  readonly periodStart: string;
  /** End of the billing period (ISO 8601, UTC). Absent for the current one. */
  readonly periodEnd?: string;
  /** The timeframes, oldest first. */
  readonly consumption: ConsumptionTimeframe[];
}

/** The consumption of a project. */
export interface ProjectConsumptionResult {
  /** Id of the project. */
  readonly projectId: string;
  /** The billing periods. */
  readonly periods: ConsumptionPeriod[];
}

/** The consumption of a branch. */
export interface BranchConsumptionResult {
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the branch. */
  readonly branchId: string;
  /** The billing periods. */
  readonly periods: ConsumptionPeriod[];
}

/** Arguments of `getProjectConsumption`. */
export interface GetProjectConsumptionArgs {
  /** Id of the organization. Default: the provider's `orgId`. Without it, the property is required. */
  readonly orgId?: string;
  /** Start of the history (ISO 8601, with a time zone). Rounded down to `granularity`. */
  readonly from: string;
  /** End of the history (ISO 8601, with a time zone). Rounded down to `granularity`. */
  readonly to: string;
  /** Length of a timeframe. The history reaches back 168 hours, 60 days or one year. */
  readonly granularity: "hourly" | "daily" | "monthly";
  /** Metrics to read, such as `compute_unit_seconds`. Default: all. */
  readonly metrics?: string[];
  /** Projects to read, up to 100. Default: all of the organization. */
  readonly projectIds?: string[];
}

const getProjectConsumptionSource = dataSource<GetProjectConsumptionArgs, ProjectConsumptionResult[]>(
  "getProjectConsumption",
);

/**
 * Lists the consumption of the projects of an organization. Needs a plan that has consumption metrics: Launch, Scale,
 * Agent, Business or Enterprise. Does not wake computes. The result changes with time: do not export it.
 *
 * Neon API: `GET /consumption_history/v2/projects`.
 *
 * @example
 * ```ts
 * const usage = neon.getProjectConsumptionOutput({
 *   orgId: "org-quiet-river-302709",
 *   from: "2030-06-01T00:00:00Z",
 *   to: "2030-06-30T00:00:00Z",
 *   granularity: "daily",
 *   metrics: ["compute_unit_seconds"],
 * });
 * ```
 */
export function getProjectConsumption(args: GetProjectConsumptionArgs, options?: LookupOptions) {
  return getProjectConsumptionSource.invoke(args, options);
}

/** Output form of {@link getProjectConsumption}: the arguments can be outputs. */
export function getProjectConsumptionOutput(args: Inputs<GetProjectConsumptionArgs>, options?: LookupOptions) {
  return getProjectConsumptionSource.output(args, options);
}

/** Arguments of `getBranchConsumption`. */
export interface GetBranchConsumptionArgs {
  /** Id of the organization. Default: the provider's `orgId`. Without it, the property is required. */
  readonly orgId?: string;
  /** Start of the history (ISO 8601, with a time zone). Rounded down to `granularity`. */
  readonly from: string;
  /** End of the history (ISO 8601, with a time zone). Rounded down to `granularity`. */
  readonly to: string;
  /** Length of a timeframe. The history reaches back 168 hours, 60 days or one year. */
  readonly granularity: "hourly" | "daily" | "monthly";
  /** Metrics to read, such as `compute_unit_seconds`. Default: all. */
  readonly metrics?: string[];
  /** Id of the project. */
  readonly projectId: string;
  /** Branches to read, up to 100. Default: all of the project. */
  readonly branchIds?: string[];
}

const getBranchConsumptionSource = dataSource<GetBranchConsumptionArgs, BranchConsumptionResult[]>(
  "getBranchConsumption",
);

/**
 * Lists the consumption of the branches of a project. Needs a plan that has consumption metrics: Launch, Scale, Agent
 * or Enterprise. Does not wake computes. The result changes with time: do not export it.
 *
 * Neon API: `GET /consumption_history/v2/branches`.
 *
 * @example
 * ```ts
 * const usage = neon.getBranchConsumptionOutput({
 *   projectId: project.id,
 *   from: "2030-06-01T00:00:00Z",
 *   to: "2030-06-30T00:00:00Z",
 *   granularity: "daily",
 * });
 * ```
 */
export function getBranchConsumption(args: GetBranchConsumptionArgs, options?: LookupOptions) {
  return getBranchConsumptionSource.invoke(args, options);
}

/** Output form of {@link getBranchConsumption}: the arguments can be outputs. */
export function getBranchConsumptionOutput(args: Inputs<GetBranchConsumptionArgs>, options?: LookupOptions) {
  return getBranchConsumptionSource.output(args, options);
}
