import { z } from "zod";

import { collect } from "../http/pagination";
import {
  branchConsumption,
  consumption,
  consumptionTime,
  granularity,
  projectConsumption,
} from "../schemas/consumption";
import { objectId } from "../schemas/wire";
import { ofOrganization, ofProject } from "./id-argument";
import { lookup } from "./lookup";
import { requireOrganization } from "./organization";
import { resultOf } from "./result";

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

const span = {
  ...ofOrganization,
  from: consumptionTime.describe("Start of the history (ISO 8601, with a time zone). Rounded down to `granularity`."),
  to: consumptionTime.describe("End of the history (ISO 8601, with a time zone). Rounded down to `granularity`."),
  granularity: granularity.describe("Length of a timeframe. The history reaches back 168 hours, 60 days or one year."),
  metrics: z.array(z.string()).optional().describe("Metrics to read, such as `compute_unit_seconds`. Default: all."),
};

const explanations = {
  403: "Consumption metrics need a plan that has them: Launch, Scale, Agent, Business or Enterprise.",
  406: "Metrics reach back 168 hours for `hourly`, 60 days for `daily` and one year for `monthly`: adjust `from` and `to`, or choose another `granularity`.",
};

/** The consumption of the projects of an organization. */
export const getProjectConsumption = lookup("getProjectConsumption", () => ({
  args: {
    ...span,
    projectIds: z.array(objectId).optional().describe("Projects to read, up to 100. Default: all of the organization."),
  },
  result: z.array(resultOf(projectConsumption, "ProjectConsumptionResult", "The consumption of a project.")),
  list: "projects",
  explanations,
  read: async (account, { orgId: declared, metrics = projectMetrics, ...query }) => {
    const orgId = requireOrganization("getProjectConsumption", account, declared);
    return await collect(account.client.list(consumption.ofProjects({ ...query, metrics, orgId })));
  },
}));

/** The consumption of the branches of a project. */
export const getBranchConsumption = lookup("getBranchConsumption", () => ({
  args: {
    ...span,
    ...ofProject,
    branchIds: z.array(objectId).optional().describe("Branches to read, up to 100. Default: all of the project."),
  },
  result: z.array(resultOf(branchConsumption, "BranchConsumptionResult", "The consumption of a branch.")),
  list: "branches",
  explanations,
  read: async (account, { orgId: declared, projectId, metrics = branchMetrics, ...query }) => {
    const orgId = requireOrganization("getBranchConsumption", account, declared);
    const request = consumption.ofBranches({ ...query, metrics, orgId, projectIds: [projectId] });
    return await collect(account.client.list(request));
  },
}));
