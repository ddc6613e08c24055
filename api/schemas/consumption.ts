import { z } from "zod";

import { pagedRequest } from "../core/request";
import { cursorPagination, idOfBranch, idOfProject, instant, timestamp, wholeNumber } from "./wire";

/** The lengths of the timeframes of a consumption history. */
export const granularity = z.enum(["hourly", "daily", "monthly"]);

const metric = z
  .looseObject({
    metric_name: z.string().describe("Name of the metric, such as `compute_unit_seconds`; its unit is a part of it."),
    value: wholeNumber.describe("Value of the metric."),
  })
  .meta({ title: "ConsumptionMetric", description: "The value of a metric." });

/** The consumption in one timeframe. */
export const timeframe = z
  .looseObject({
    timeframe_start: timestamp.describe("Start of the timeframe (ISO 8601, UTC)."),
    timeframe_end: timestamp.describe("End of the timeframe (ISO 8601, UTC)."),
    metrics: z.array(metric).optional().describe("The metrics that were asked for."),
  })
  .meta({ title: "ConsumptionTimeframe", description: "The consumption in one timeframe." });

/** The consumption in a part of a billing period. */
const consumptionPeriod = z
  .looseObject({
    period_id: z.string().describe("Id of the billing period."),
    period_plan: z.string().describe("Plan in the billing period."),
    period_start: timestamp.describe("Start of the billing period (ISO 8601, UTC)."),
    period_end: timestamp.optional().describe("End of the billing period (ISO 8601, UTC). Absent for the current one."),
    consumption: z.array(timeframe).describe("The timeframes, oldest first."),
  })
  .meta({ title: "ConsumptionPeriod", description: "The consumption in a billing period." });

const periods = z.array(consumptionPeriod).describe("The billing periods.");
export const projectConsumption = z.looseObject({ project_id: idOfProject, periods });
export const branchConsumption = z.looseObject({ project_id: idOfProject, branch_id: idOfBranch, periods });
export type ProjectConsumption = z.infer<typeof projectConsumption>;
export type BranchConsumption = z.infer<typeof branchConsumption>;

/** The query that selects which history to read. */
export interface ConsumptionQuery {
  readonly orgId: string;
  /** ISO 8601; the API rounds both to the granularity. */
  readonly from: string;
  readonly to: string;
  readonly granularity: z.infer<typeof granularity>;
  readonly metrics: readonly string[];
  readonly projectIds?: readonly string[] | undefined;
  readonly branchIds?: readonly string[] | undefined;
}

/** A timestamp of a query, with a time zone. */
export const consumptionTime = instant;

const projectPage = z.looseObject({ projects: z.array(projectConsumption), pagination: cursorPagination.optional() });
const branchPage = z.looseObject({ branches: z.array(branchConsumption), pagination: cursorPagination.optional() });

/** Requests for the consumption history of an organization. */
export const consumption = {
  ofProjects: (query: ConsumptionQuery) =>
    pagedRequest("cursor", "/consumption_history/v2/projects", projectPage, {
      query: queryOf(query),
      items: (page) => page.projects,
      maxPageSize: 100,
    }),
  ofBranches: (query: ConsumptionQuery) =>
    pagedRequest("cursor", "/consumption_history/v2/branches", branchPage, {
      query: queryOf(query),
      items: (page) => page.branches,
      maxPageSize: 1000,
    }),
};

function queryOf({ orgId, from, to, granularity: length, metrics, projectIds, branchIds }: ConsumptionQuery) {
  return {
    org_id: orgId,
    from,
    to,
    granularity: length,
    metrics: metrics.join(","),
    project_ids: projectIds?.join(","),
    branch_ids: branchIds?.join(","),
  };
}
