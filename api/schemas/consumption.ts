import { z } from "zod";

import type { PagedRequest } from "../core/request";
import { cursorPagination, instant, timestamp } from "./wire";

/** The lengths of the timeframes of a consumption history. */
export const granularity = z.enum(["hourly", "daily", "monthly"]);

const metric = z.looseObject({ metric_name: z.string(), value: z.number() });

/** What was used in one timeframe. */
export const timeframe = z.looseObject({
  timeframe_start: timestamp,
  timeframe_end: timestamp,
  metrics: z.array(metric).optional(),
});

/** What was used in a part of a billing period. */
const consumptionPeriod = z.looseObject({
  period_id: z.string(),
  period_plan: z.string(),
  period_start: timestamp,
  period_end: timestamp.optional(),
  consumption: z.array(timeframe),
});

const projectConsumption = z.looseObject({ project_id: z.string(), periods: z.array(consumptionPeriod) });
const branchConsumption = projectConsumption.extend({ branch_id: z.string() });
export type ProjectConsumption = z.infer<typeof projectConsumption>;
export type BranchConsumption = z.infer<typeof branchConsumption>;

/** Which history to read. */
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
  ofProjects: (query: ConsumptionQuery): PagedRequest<ProjectConsumption, z.infer<typeof projectPage>> => ({
    method: "GET",
    path: "/consumption_history/v2/projects",
    query: queryOf(query),
    schema: projectPage,
    items: (page) => page.projects,
    cursor: (page) => page.pagination?.cursor,
    maxPageSize: 100,
  }),
  ofBranches: (query: ConsumptionQuery): PagedRequest<BranchConsumption, z.infer<typeof branchPage>> => ({
    method: "GET",
    path: "/consumption_history/v2/branches",
    query: queryOf(query),
    schema: branchPage,
    items: (page) => page.branches,
    cursor: (page) => page.pagination?.cursor,
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
