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
  const { pathname, searchParams } = new URL(path, origin);
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
    view: viewOf(services, pathname.split("/").slice(1), searchParams),
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

/** Builds the part of the state that only some pages show, by the first segment of the path. */
const viewBuilders: Readonly<Record<string, (services: ConsoleServices, ...segments: (string | undefined)[]) => View>> =
  {
    "": (services) => branchesView(services, undefined, undefined),
    projects: (services, id, part, branch) => branchesView(services, id, part === "branches" ? branch : undefined),
    operations: () => ({ kind: "operations" }),
    timeline: ({ controlPlane, journal }, id) => {
      const recorded = recordedRuns(controlPlane, journal.list());
      const run = findRun(recorded, id);
      if (!run && id !== undefined) return { kind: "missing", what: `There is no run ${id}.` };
      return { kind: "timeline", runs: listRuns(recorded), run };
    },
    requests: ({ log }) => ({ kind: "requests", requests: log.list().slice(-pageSize).map(requestView).reverse() }),
    faults: ({ controlPlane: { faults, operationTimes } }) => ({
      kind: "faults",
      faults: faults.list(),
      actions: operationActions,
      operationTime: operationTimes.specification,
    }),
    keys: (services) => ({
      kind: "keys",
      keys: keyViews(services.controlPlane),
      organizations: organizations(services),
    }),
    people: (services) => ({ kind: "people", organizations: organizations(services), limits: limitViews(services) }),
  };

/** The most segments of a path after the first one; default: none. */
const deepest: Readonly<Record<string, number>> = { projects: 4, timeline: 1 };

function viewOf(services: ConsoleServices, segments: readonly string[], query: URLSearchParams): View {
  const [page = "", ...rest] = segments;
  const missing: View = { kind: "missing", what: `There is no page /${segments.join("/")}.` };
  if (page === "sql") return { kind: "sql", targets: sqlTargets(services, query.get("branch") ?? undefined) };
  const [id, , branch, below] = rest;
  if (rest.length > (deepest[page] ?? 0)) return missing;
  if (page === "projects" && below !== undefined) return branchPage(services, id, branch, below, query) ?? missing;
  const build = Object.hasOwn(viewBuilders, page) ? viewBuilders[page] : undefined;
  return build?.(services, ...rest) ?? missing;
}

/** The latest requests with all these words, newest first. */
export function foundRequests({ log }: ConsoleServices, search: string): RequestView[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const found: RequestView[] = [];
  for (const entry of log.list().toReversed()) {
    const { method, path, status, requestId, userAgent, body } = entry;
    const text =
      `${method} ${path} ${status ?? ""} ${requestId} ${userAgent} ${body === undefined ? "" : JSON.stringify(body)}`.toLowerCase();
    if (words.every((word) => text.includes(word))) found.push(requestView(entry));
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
function sqlTargets({ controlPlane: { tables } }: ConsoleServices, asked: string | undefined): SqlTarget[] {
  const latest = tables.branches.list({ deleted_at: null }, "ORDER BY created_at DESC LIMIT ?", mostTargets);
  const first = asked === undefined ? undefined : tables.branches.get({ id: asked, deleted_at: null });
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
