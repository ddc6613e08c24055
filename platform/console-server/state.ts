import { TrieRouter } from "hono/router/trie-router";

import { limits, planLimits } from "../model/accounts/limits";
import { operationActions } from "../model/operations/actions";
import { recordedRuns } from "../http/recorded-runs";
import { requestsPerMinute } from "../http/rate-limit";
import { findRun, listRuns } from "../pulumi-run/build";
import type { BranchRow } from "../model/branches/branch-row";
import type { OperationRow } from "../model/operations/operation";
import type {
  BranchView,
  ComputeView,
  LimitView,
  OperationView,
  OrganizationView,
  PageState,
  ProjectView,
  RequestView,
  SqlTarget,
  View,
} from "./protocol";
import { hasWords } from "./protocol";
import { branchPage } from "./branch-pages";
import type { ConsoleServices } from "./services";
import {
  branchDetail,
  branchView,
  computeView,
  keyViews,
  operationView,
  organizationView,
  projectView,
  requestView,
} from "./views";

/** The number of operations and requests that a page gets at first. */
const pageSize = 100;
/** The number of operations that the operations page gets when it asks for more. */
const mostOperations = 500;
const mostFound = 300;
/** The operations that are shown next to the branches. */
const mostRecent = 14;
/** The most branches in the list for SQL, which people read. */
const mostTargets = 500;

/** Everything that a page shows at first. */
export function pageState(
  services: ConsoleServices,
  { instance, version, path, origin }: Pick<PageState, "instance" | "version" | "path" | "origin">,
): PageState {
  const { controlPlane, dataFolder, versions } = services;
  return {
    instance,
    version,
    now: controlPlane.clock.now(),
    origin,
    dataFolder,
    versions,
    path,
    projects: projectViews(services),
    operations: operationViews(services, {}),
    view: viewOf(services, new URL(path, origin)),
  };
}

function projectViews({ controlPlane }: ConsoleServices): ProjectView[] {
  const rows = controlPlane.tables.projects.list({ deleted_at: null }, "ORDER BY created_at DESC");
  return rows.map((row) => projectView(controlPlane, row));
}

/** The filter of a list of operations. */
export interface OperationFilter {
  readonly projectId?: string | undefined;
  readonly branchId?: string | undefined;
  readonly action?: string | undefined;
  /** Only operations that were created before this time, in milliseconds since 1970. */
  readonly before?: number | undefined;
}

/** The latest operations that match, newest first. */
export function operationViews(
  { controlPlane }: ConsoleServices,
  { projectId, branchId, action, before }: OperationFilter,
  limit = before === undefined ? pageSize : mostOperations,
): OperationView[] {
  const conditions = [
    ...(branchId === undefined ? [] : [{ sql: "AND body ->> '$.branch_id' = ?", value: branchId }]),
    ...(action === undefined ? [] : [{ sql: "AND body ->> '$.action' = ?", value: action }]),
    ...(before === undefined ? [] : [{ sql: "AND created_at < ?", value: new Date(before).toISOString() }]),
  ];
  const rows: OperationRow[] = controlPlane.tables.operations.list(
    projectId === undefined ? {} : { project_id: projectId },
    `${conditions.map(({ sql }) => sql).join(" ")} ORDER BY created_at DESC LIMIT ?`,
    ...conditions.map(({ value }) => value),
    limit,
  );
  return rows.map((row) => operationView(controlPlane, row));
}

type ViewBuilder = (
  services: ConsoleServices,
  params: Readonly<Record<string, string>>,
  query: URLSearchParams,
) => View | undefined;

/** The paths of the pages, and the part of the state that only such a page shows. Without a part, there is no such page. */
const viewBuilders: Readonly<Record<string, ViewBuilder>> = {
  "/": (services) => branchesView(services, undefined, undefined),
  "/projects/:project": (services, { project }) => branchesView(services, project, undefined),
  "/projects/:project/branches/:branch": (services, { project, branch }) => branchesView(services, project, branch),
  "/projects/:project/branches/:branch/:page": (services, { project = "", branch = "", page = "" }, query) =>
    branchPage(services, project, branch, page, query),
  "/operations": () => ({ kind: "operations" }),
  "/timeline": (services) => timelineView(services, undefined),
  "/timeline/:run": (services, { run }) => timelineView(services, run),
  "/sql": (services, _params, query) => ({ kind: "sql", targets: sqlTargets(services, query.get("branch")) }),
  "/requests": ({ log }) => ({ kind: "requests", requests: log.list().slice(-pageSize).map(requestView).reverse() }),
  "/faults": ({ controlPlane: { faults, operationTimes } }) => ({
    kind: "faults",
    faults: faults.list(),
    actions: operationActions,
    operationTime: operationTimes.specification,
  }),
  "/keys": (services) => ({
    kind: "keys",
    keys: keyViews(services.controlPlane),
    organizations: organizations(services),
  }),
  "/people": (services) => ({ kind: "people", organizations: organizations(services), limits: limitViews(services) }),
};

export const pagePaths = Object.keys(viewBuilders);

const router = new TrieRouter<ViewBuilder>();
for (const [path, build] of Object.entries(viewBuilders)) router.add("GET", path, build);

function viewOf(services: ConsoleServices, { pathname, searchParams }: URL): View {
  // A router of this kind returns each handler with its own parameters.
  const [[found]] = router.match("GET", pathname) as [[ViewBuilder, Record<string, string>][]];
  const view = found?.[0](services, found[1], searchParams);
  return view ?? { kind: "missing", what: `There is no page ${pathname}.` };
}

function timelineView({ controlPlane, journal }: ConsoleServices, id: string | undefined): View {
  const recorded = recordedRuns(controlPlane, journal.list());
  const run = findRun(recorded, id);
  if (!run && id !== undefined) return { kind: "missing", what: `There is no run ${id}.` };
  return { kind: "timeline", runs: listRuns(recorded), run };
}

/** The latest requests with all these words, newest first. */
export function foundRequests({ log }: ConsoleServices, search: string): RequestView[] {
  const found: RequestView[] = [];
  for (const entry of log.list().toReversed()) {
    const view = requestView(entry);
    if (hasWords(view, search)) found.push(view);
    if (found.length === mostFound) break;
  }
  return found;
}

function organizations({ controlPlane }: ConsoleServices): OrganizationView[] {
  const rows = controlPlane.tables.organizations.list({}, "ORDER BY created_at");
  return rows.map((row) => organizationView(controlPlane, row));
}

function branchesView(services: ConsoleServices, id: string | undefined, branchId: string | undefined): View {
  const { tables } = services.controlPlane;
  const project =
    id === undefined
      ? tables.projects.list({ deleted_at: null }, "ORDER BY created_at DESC LIMIT 1")[0]
      : tables.projects.get({ id, deleted_at: null });
  if (!project) {
    if (id !== undefined) return { kind: "missing", what: `There is no project ${id}.` };
    return { kind: "branches", projectId: undefined, branches: [], detail: undefined, operations: [] };
  }
  const branch =
    branchId === undefined
      ? undefined
      : tables.branches.get({ id: branchId, project_id: project.id, deleted_at: null });
  if (branchId !== undefined && !branch) return { kind: "missing", what: `There is no branch ${branchId}.` };
  return {
    kind: "branches",
    projectId: project.id,
    branches: branchesOf(services, project.id),
    detail: branch && branchDetail(services.controlPlane, branch),
    operations: operationViews(services, { projectId: project.id, branchId }, mostRecent),
  };
}

/** All branches of a project with their computes, in two reads. */
function branchesOf({ controlPlane: { tables }, dataPlane }: ConsoleServices, projectId: string): BranchView[] {
  const live = { project_id: projectId, deleted_at: null } as const;
  const computes = new Map<string, ComputeView[]>();
  for (const row of tables.endpoints.list(live, "ORDER BY created_at")) {
    computes.set(row.branch_id, [...(computes.get(row.branch_id) ?? []), computeView(row, dataPlane)]);
  }
  return tables.branches.list(live, "ORDER BY created_at").map((row) => branchView(row, computes.get(row.id) ?? []));
}

/** One branch with its computes; undefined if it was deleted. */
export function branchById(
  { controlPlane: { tables }, dataPlane }: ConsoleServices,
  id: string,
): BranchView | undefined {
  const row = tables.branches.get({ id, deleted_at: null });
  if (!row) return undefined;
  const endpoints = tables.endpoints.list({ branch_id: id, deleted_at: null }, "ORDER BY created_at");
  return branchView(
    row,
    endpoints.map((each) => computeView(each, dataPlane)),
  );
}

/** The branches that the SQL page offers: the requested branch, and the latest branches of all projects. */
function sqlTargets({ controlPlane: { tables } }: ConsoleServices, asked: string | null): SqlTarget[] {
  const latest = tables.branches.list({ deleted_at: null }, "ORDER BY created_at DESC LIMIT ?", mostTargets);
  const first = asked === null ? undefined : tables.branches.get({ id: asked, deleted_at: null });
  const rows = first ? [first, ...latest.filter(({ id }) => id !== first.id)] : latest;
  const projects = new Map(tables.projects.list({ deleted_at: null }).map(({ id, name }) => [id, name]));
  return rows.flatMap((row: BranchRow) => {
    const project = projects.get(row.project_id);
    if (project === undefined) return [];
    const live = { branch_id: row.id, deleted_at: null } as const;
    return {
      branchId: row.id,
      branch: row.name,
      projectId: row.project_id,
      project,
      databases: tables.databases
        .list(live, "ORDER BY created_at, id")
        .map(({ name, owner_name: owner }) => ({ name, owner })),
      roles: tables.roles.list(live, "ORDER BY created_at").map(({ name }) => name),
    };
  });
}

function limitViews({ controlPlane, rateLimit }: ConsoleServices): LimitView[] {
  const { tables, computeLimit, plan } = controlPlane;
  const allowed = planLimits[plan];
  const live = { deleted_at: null } as const;
  const most = (counts: readonly number[]): number => Math.max(0, ...counts);
  const projects = tables.projects.list(live).map(({ id }) => id);
  const perProject = (count: (id: string) => number): number => most(projects.map(count));
  const accounts = [...tables.users.list({}).map(({ id }) => id), ...tables.organizations.list({}).map(({ id }) => id)];
  return [
    {
      name: "requests of an account in a minute",
      used: rateLimit && most(accounts.map((id) => requestsPerMinute - rateLimit.left(id))),
      limit: requestsPerMinute,
      missingOption: rateLimit === undefined ? "--rate-limit" : undefined,
    },
    {
      name: "active computes of a project",
      used: perProject((id) => tables.endpoints.count({ ...live, project_id: id, current_state: "active" })),
      limit: limits.activeComputes,
      missingOption: computeLimit ? undefined : "--compute-limit",
    },
    {
      name: "branches of a project",
      used: perProject((id) => tables.branches.count({ ...live, project_id: id })),
      limit: allowed.branches,
    },
    {
      name: "protected branches of a project",
      used: perProject((id) => tables.branches.count({ ...live, project_id: id, protected: 1 })),
      limit: allowed.protectedBranches,
    },
    {
      name: "snapshots of a project that were requested",
      used: perProject((id) => tables.snapshots.count({ ...live, project_id: id, manual: 1 })),
      limit: allowed.manualSnapshots,
    },
  ];
}
