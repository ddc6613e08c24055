import { z } from "zod";

import { collect } from "../http/pagination";
import { consumption, consumptionTime, granularity } from "../schemas/consumption";
import { objectId, timestamp } from "../schemas/wire";
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

const period = z.strictObject({
  periodId: z.string(),
  periodPlan: z.string(),
  periodStart: timestamp,
  periodEnd: timestamp.optional(),
  consumption: z.array(
    z.strictObject({
      timeframeStart: timestamp,
      timeframeEnd: timestamp,
      metrics: z.array(z.strictObject({ metricName: z.string(), value: z.number() })).optional(),
    }),
  ),
});

const span = {
  orgId: objectId.optional(),
  from: consumptionTime,
  to: consumptionTime,
  granularity,
  metrics: z.array(z.string()).optional(),
};

const explanations = {
  403: "Consumption metrics need a plan that has them: Launch, Scale, Agent, Business or Enterprise.",
  406: "Metrics reach back 168 hours for `hourly`, 60 days for `daily` and one year for `monthly`: adjust `from` and `to`, or choose another `granularity`.",
};

/** What the projects of an organization have used. */
export const getProjectConsumption = lookup("getProjectConsumption", {
  args: { ...span, projectIds: z.array(objectId).optional() },
  result: z.array(z.strictObject({ projectId: z.string(), periods: z.array(period) })),
  list: "projects",
  explanations,
  read: async (account, { orgId: declared, metrics = projectMetrics, ...query }) => {
    const orgId = requireOrganization("getProjectConsumption", account, declared);
    return await collect(account.client.list(consumption.ofProjects({ ...query, metrics, orgId })));
  },
});

/** What the branches of a project have used. */
export const getBranchConsumption = lookup("getBranchConsumption", {
  args: { ...span, projectId: objectId, branchIds: z.array(objectId).optional() },
  result: z.array(z.strictObject({ projectId: z.string(), branchId: z.string(), periods: z.array(period) })),
  list: "branches",
  explanations,
  read: async (account, { orgId: declared, projectId, metrics = branchMetrics, ...query }) => {
    const orgId = requireOrganization("getBranchConsumption", account, declared);
    const request = consumption.ofBranches({ ...query, metrics, orgId, projectIds: [projectId] });
    return await collect(account.client.list(request));
  },
});
