import { listBuckets } from "../model/branches/bucket";
import { listObjects } from "../model/branches/bucket-object";
import type { BranchRow } from "../model/branches/branch-row";
import { domainStatus } from "../model/branches/custom-domain";
import { invocationUrl } from "../model/branches/function";
import { versionsOf } from "../model/branches/function-deployment";
import type { FunctionRow } from "../model/branches/function-row";
import { listTriggers, type TriggerRow } from "../model/branches/trigger";
import type { ControlPlane } from "../model/control-plane";
import type {
  BranchPage,
  BranchPlace,
  DeploymentView,
  DomainView,
  FunctionView,
  LogLineView,
  ObjectListView,
  TriggerView,
  View,
} from "./protocol";
import type { ConsoleServices } from "./services";
import { millisecondsOf, timeOf } from "./views";

const mostDeployments = 5;
const mostLines = 200;
/** A longer line is cut. */
const mostCharacters = 2_000;
/** The objects and folders of one page. */
const mostObjects = 200;

type Builder = (controlPlane: ControlPlane, branch: BranchRow, place: BranchPlace, query: URLSearchParams) => View;

const builders: Readonly<Record<BranchPage, Builder>> = {
  functions: (controlPlane, branch, place, query) => {
    const rows = controlPlane.tables.functions.list({ branch_id: branch.id }, "ORDER BY slug");
    const selected = rows.find(({ slug }) => slug === query.get("function")) ?? rows[0];
    return {
      kind: "functions",
      place,
      functions: rows.map((row) => functionView(controlPlane, row)),
      selected: selected?.slug,
      log: selected ? logOf(controlPlane, selected) : [],
    };
  },
  triggers: (controlPlane, branch, place) => ({
    kind: "triggers",
    place,
    triggers: listTriggers(controlPlane, branch).map((row) => triggerView(controlPlane, row)),
  }),
  buckets: (controlPlane, branch, place, query) => {
    const buckets = listBuckets(controlPlane, branch);
    const shown = buckets.find(({ name }) => name === query.get("bucket")) ?? buckets[0];
    const prefix = query.get("prefix") ?? "";
    const after = query.get("after") ?? "";
    const page = shown && listObjects(controlPlane, shown, { prefix, delimiter: "/", after, limit: mostObjects });
    const list: ObjectListView | undefined = page && {
      bucket: shown.name,
      cors: (shown.cors ?? []).map((rule) => ({
        origins: rule.allowedOrigins,
        methods: rule.allowedMethods,
        headers: rule.allowedHeaders,
        exposed: rule.exposeHeaders,
        maxAgeSeconds: rule.maxAgeSeconds,
      })),
      prefix,
      folders: page.folders,
      objects: page.objects.map(({ key, size, last_modified, inherited, content_type: type, headers }) => ({
        key,
        bytes: size,
        modifiedAt: millisecondsOf(last_modified),
        isInherited: inherited,
        type,
        headers,
      })),
      next: page.next,
    };
    return {
      kind: "buckets",
      place,
      buckets: buckets.map(({ name, access_level: access, inherited }) => ({
        name,
        access,
        isInherited: inherited,
      })),
      list,
    };
  },
};

/** A page below that of a branch; undefined if there is no such page. */
export function branchPage(
  { controlPlane }: ConsoleServices,
  projectId: string,
  branchId: string,
  page: string,
  query: URLSearchParams,
): View | undefined {
  if (!Object.hasOwn(builders, page)) return undefined;
  const { tables } = controlPlane;
  const project = tables.projects.get({ id: projectId, deleted_at: null });
  const branch = project && tables.branches.get({ id: branchId, project_id: projectId, deleted_at: null });
  if (!branch) return { kind: "missing", what: `There is no branch ${branchId}.` };
  const path = `/projects/${project.id}/branches/${branch.id}`;
  const place = { project: project.name, branchId: branch.id, branch: branch.name, path };
  return builders[page as BranchPage](controlPlane, branch, place, query);
}

function functionView(controlPlane: ControlPlane, row: FunctionRow): FunctionView {
  const versions = versionsOf(controlPlane, row.branch_id, row.slug);
  const active = versions.find(({ status }) => status === "completed");
  return {
    slug: row.slug,
    name: row.display_name ?? row.slug,
    url: active ? invocationUrl(row) : "",
    isInherited: row.inherited,
    deployments: versions.slice(0, mostDeployments).map((version): DeploymentView => ({
      id: version.id,
      status: version.status,
      isActive: version === active,
      error: version.status === "failed" ? version.failure : undefined,
      createdAt: millisecondsOf(version.created_at),
      variables: version.variables.map(({ name }) => name),
    })),
    domains: controlPlane.tables.customDomains
      .list({ branch_id: row.branch_id }, "ORDER BY domain")
      .filter(({ entity_id }) => entity_id === row.slug)
      .map((domain): DomainView => {
        const { status, status_reason: reason } = domainStatus(controlPlane, domain);
        return { domain: domain.domain, status, reason };
      }),
  };
}

function logOf({ logs }: ControlPlane, { branch_id, id }: FunctionRow): LogLineView[] {
  const lines = logs.of(branch_id).filter(({ entity_id }) => entity_id === id);
  return lines.slice(-mostLines).map(({ number, at, severity_text: severity, message }) => ({
    number,
    time: at,
    severity,
    message: message.length > mostCharacters ? `${message.slice(0, mostCharacters)}…` : message,
  }));
}

function triggerView({ tables }: ControlPlane, row: TriggerRow): TriggerView {
  const { branch_id, trigger_id, schedule, storage_object_created: storage } = row;
  const uploads = `${storage?.bucket_name ?? ""}/${storage?.prefix ?? ""}`;
  return {
    id: trigger_id,
    name: row.name,
    target: row.function_slug,
    path: row.function_path,
    when: schedule?.cron ?? uploads,
    isSchedule: row.type === "schedule",
    isEnabled: row.enabled,
    isInherited: row.inherited,
    nextAt: row.next_at ?? undefined,
    lastAt: timeOf(row.invoked_at),
    results: (row.results ?? []).map(({ at, status }) => ({ at: millisecondsOf(at), status })),
    waiting: tables.triggerDeliveries.count({ branch_id }, "AND body ->> '$.trigger_id' = ?", trigger_id),
  };
}
