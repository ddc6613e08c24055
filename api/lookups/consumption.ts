import { z } from "zod";

import { lazy } from "../core/lazy";
import { collect } from "../http/pagination";
import { consumption, consumptionTime, granularity } from "../schemas/consumption";
import { objectId } from "../schemas/wire";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";
import { requireOrganization } from "./organization";

/** The metrics that both histories have. */
const branchMetrics = [
  "compute_unit_seconds",
  "root_branch_bytes_month",
  "child_branch_bytes_month",
  "instant_restore_bytes_month",
  "public_network_transfer_bytes",
  "private_network_transfer_bytes",
];
const projectMetrics = [...branchMetrics, "extra_branches_month", "snapshot_storage_bytes_month"];

const metricResult = lazy(() =>
  z
    .strictObject({
      metricName: z.string().describe("Name of the metric, such as `compute_unit_seconds`; its unit is a part of it."),
      value: z.int().describe("Value of the metric."),
    })
    .meta({ title: "ConsumptionMetric", description: "The value of a metric." }),
);
const timeframeArgs = lazy(() =>
  z
    .strictObject({
      timeframeStart: z.string().describe("Start of the timeframe (ISO 8601, UTC)."),
      timeframeEnd: z.string().describe("End of the timeframe (ISO 8601, UTC)."),
      metrics: z.array(metricResult()).optional().describe("The metrics that were asked for."),
    })
    .meta({ title: "ConsumptionTimeframe", description: "What was used in one timeframe." }),
);
const period = lazy(() =>
  z
    .strictObject({
      periodId: z.string().describe("Id of the billing period."),
      periodPlan: z.string().describe("Plan in the billing period."),
      periodStart: z.string().describe("Start of the billing period (ISO 8601, UTC)."),
      periodEnd: z
        .string()
        .optional()
        .describe("End of the billing period (ISO 8601, UTC). Absent for the current one."),
      consumption: z.array(timeframeArgs()).describe("The timeframes, oldest first."),
    })
    .meta({ title: "ConsumptionPeriod", description: "What was used in a billing period." }),
);

const span = {
  orgId: idArgument
    .optional()
    .describe(
      "Id of the organization. Required unless the provider's `orgId` is set. Default: the provider's `orgId`.",
    ),
  from: consumptionTime.describe("Start of the history (ISO 8601, with a time zone). Rounded down to `granularity`."),
  to: consumptionTime.describe("End of the history (ISO 8601, with a time zone). Rounded down to `granularity`."),
  granularity: granularity.describe("Length of a timeframe. The history reaches back 168 hours, 60 days or one year."),
  metrics: z.array(z.string()).optional().describe("Metrics to read, such as `compute_unit_seconds`. Default: all."),
};

const explanations = {
  403: "Consumption metrics need a plan that has them: Launch, Scale, Agent, Business or Enterprise.",
  406: "Metrics reach back 168 hours for `hourly`, 60 days for `daily` and one year for `monthly`: adjust `from` and `to`, or choose another `granularity`.",
};

/** What the projects of an organization have used. */
export const getProjectConsumption = lookup("getProjectConsumption", () => ({
  args: {
    ...span,
    projectIds: z.array(objectId).optional().describe("Projects to read, up to 100. Default: all of the organization."),
  },
  result: z.array(
    z
      .strictObject({
        projectId: z.string().describe("Id of the project."),
        periods: z.array(period()).describe("The billing periods."),
      })
      .meta({ title: "ProjectConsumptionResult", description: "What a project has used." }),
  ),
  list: "projects",
  explanations,
  read: async (account, { orgId: declared, metrics = projectMetrics, ...query }) => {
    const orgId = requireOrganization("getProjectConsumption", account, declared);
    return await collect(account.client.list(consumption.ofProjects({ ...query, metrics, orgId })));
  },
}));

/** What the branches of a project have used. */
export const getBranchConsumption = lookup("getBranchConsumption", () => ({
  args: {
    ...span,
    projectId: idArgument.describe("Project whose branches to read."),
    branchIds: z.array(objectId).optional().describe("Branches to read, up to 100. Default: all of the project."),
  },
  result: z.array(
    z
      .strictObject({
        projectId: z.string().describe("Id of the project."),
        branchId: z.string().describe("Id of the branch."),
        periods: z.array(period()).describe("The billing periods."),
      })
      .meta({ title: "BranchConsumptionResult", description: "What a branch has used." }),
  ),
  list: "branches",
  explanations,
  read: async (account, { orgId: declared, projectId, metrics = branchMetrics, ...query }) => {
    const orgId = requireOrganization("getBranchConsumption", account, declared);
    const request = consumption.ofBranches({ ...query, metrics, orgId, projectIds: [projectId] });
    return await collect(account.client.list(request));
  },
}));
