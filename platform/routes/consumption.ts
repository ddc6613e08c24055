import { z } from "zod";

import { accountKey } from "../model/routing/authorization";
import { notFound } from "../http-error";
import { allow, type ApiPaths } from "../model/routing/route";
import { beforeFirst, cursorOf, formatCursor } from "../model/routing/validation";
import { roleInOrganization } from "../model/accounts/access";
import type { Caller } from "../model/accounts/caller";
import { requirePlan } from "../model/accounts/limits";
import { newOwner, type Owner } from "../model/accounts/owner";
import { branchHistory, legacyHistory, projectHistory, timeframesOf } from "../model/accounts/consumption";
import type { ControlPlane } from "../model/control-plane";
import type { ProjectRow } from "../model/projects/project-row";
import * as published from "../published/requests";
import { instant, listOf } from "../published/values";
import { projectPage } from "./project-page";

const consumptionTime = instant.transform((text) => Date.parse(text));
const span = { from: consumptionTime, to: consumptionTime };
const branchMetrics = [
  "compute_unit_seconds",
  "root_branch_bytes_month",
  "child_branch_bytes_month",
  "instant_restore_bytes_month",
  "public_network_transfer_bytes",
  "private_network_transfer_bytes",
] as const;
const projectMetrics = [...branchMetrics, "extra_branches_month", "snapshot_storage_bytes_month"] as const;
const legacyMetrics = [
  "active_time_seconds",
  "compute_time_seconds",
  "written_data_bytes",
  "synthetic_storage_size_bytes",
  "data_storage_bytes_hour",
  "logical_size_bytes",
  "logical_size_bytes_hour",
] as const;

const projectPages = {
  cursor: cursorOf(z.string(), "projects").default(beforeFirst),
};
const legacyQuery = published.getConsumptionHistoryPerProject.query.extend({
  ...span,
  ...projectPages,
  metrics: listOf(z.enum(legacyMetrics)).optional(),
});
const projectsQuery = published.getConsumptionHistoryPerProjectV2.query.extend({
  ...span,
  ...projectPages,
  metrics: listOf(z.enum(projectMetrics), 1),
});
const branchesQuery = published.getConsumptionHistoryPerBranchV2.query.extend({
  ...span,
  metrics: listOf(z.enum(branchMetrics), 1),
  /** The project and the branch at the end of the previous page. */
  cursor: cursorOf(z.tuple([z.string(), z.string()]), "branches").default(["", ""]),
});

export const consumptionPaths: ApiPaths = {
  "/consumption_history/projects": {
    GET: allow({ ...accountKey, query: legacyQuery }, ({ controlPlane, caller, query }) => {
      const owner = ownerOf(controlPlane, caller, query.org_id);
      requirePlan(owner.plan, "scale", "consumption metrics of legacy plans");
      const frames = timeframesOf(controlPlane, query);
      return pageOf(controlPlane, owner, query, (project) => legacyHistory(owner, project, frames));
    }),
  },
  "/consumption_history/v2/projects": {
    GET: allow({ ...accountKey, query: projectsQuery }, ({ controlPlane, caller, query }) => {
      const owner = ownerOf(controlPlane, caller, query.org_id);
      requirePlan(owner.plan, "launch", "consumption metrics");
      const frames = timeframesOf(controlPlane, query);
      return pageOf(controlPlane, owner, query, (project) => projectHistory(owner, project, frames, query.metrics));
    }),
  },
  "/consumption_history/v2/branches": {
    GET: allow({ ...accountKey, query: branchesQuery }, ({ controlPlane, caller, query }) => {
      const owner = ownerOf(controlPlane, caller, query.org_id);
      requirePlan(owner.plan, "launch", "consumption metrics");
      const frames = timeframesOf(controlPlane, query);
      const { projects, branches } = controlPlane.tables;
      const [projectId, branchId] = query.cursor;
      const found = query.project_ids
        .map((id) => projects.getOr404("project", { id, owner_id: owner.id, deleted_at: null }))
        .flatMap(({ id }) => branches.list({ project_id: id, deleted_at: null }))
        .filter(({ id }) => (query.branch_ids ?? [id]).includes(id))
        .filter((row) => row.project_id > projectId || (row.project_id === projectId && row.id > branchId))
        .sort((one, other) => (`${one.project_id} ${one.id}` < `${other.project_id} ${other.id}` ? -1 : 1))
        .slice(0, query.limit);
      const last = found.at(-1);
      return {
        branches: found.map((branch) => branchHistory(owner, branch, frames, query.metrics)),
        pagination: last && { cursor: formatCursor([last.project_id, last.id]) },
      };
    }),
  },
};

/** The account whose usage a request asks for. The document has its own 404 for an organization that the caller cannot see. */
function ownerOf(controlPlane: ControlPlane, caller: Caller, orgId: string | undefined): Owner {
  if (orgId !== undefined && roleInOrganization(controlPlane, caller, orgId) === undefined) {
    throw notFound("organization");
  }
  return newOwner(controlPlane, caller, orgId);
}

function pageOf(
  controlPlane: ControlPlane,
  owner: Owner,
  {
    cursor,
    limit,
    project_ids: ids = [],
  }: { cursor: string; limit: number; project_ids?: readonly string[] | undefined },
  historyOf: (project: ProjectRow) => object,
): object {
  const rest = ids.length === 0 ? "" : `AND id IN (${ids.map(() => "?").join(", ")})`;
  const { projects, pagination } = projectPage(
    controlPlane,
    { where: { owner_id: owner.id }, rest, parameters: ids },
    { cursor, limit, search: "" },
  );
  return { projects: projects.map(historyOf), pagination };
}
