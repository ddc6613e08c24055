import { withCriticalPath } from "./critical-path";
import { objectOfRequest, type RunObject } from "./object";
import type { Lane, Recorded, Run, RunOperation, RunRequest, RunSummary, RunTotals, Span } from "./run";
import { waitsOf } from "./waits";

/** After a longer pause, a request belongs to another run. Provider and CLI need less time between two steps. */
const pauseMs = 5_000;

/** The runs that were recorded, latest first, without their lanes. */
export function listRuns(recorded: Recorded): RunSummary[] {
  return buildRuns(recorded).map(summaryOf);
}

/** The runs that were recorded, latest first. */
export function buildRuns(recorded: Recorded): Run[] {
  return groups(recorded)
    .map((requests) => buildRun(requests, recorded))
    .sort((one, other) => other.from - one.from);
}

export function summaryOf({ lanes: _lanes, ...summary }: Run): RunSummary {
  return summary;
}

/** A run by its id; default: the latest that created or changed something, or else the latest. */
export function findRun(recorded: Recorded, id?: string): Run | undefined {
  const all = groups(recorded);
  const found =
    id === undefined ? (all.findLast(isUp) ?? all.at(-1)) : all.find(([first]) => first && idOf(first) === id);
  return found && buildRun(found, recorded);
}

/** Whether a run has created or changed something: a preview, a refresh and a `destroy` seldom take long enough to ask why. */
const isUp = (requests: readonly RunRequest[]): boolean =>
  requests.some(({ method, status }) => ["POST", "PATCH", "PUT"].includes(method) && isSuccess(status));

const isSuccess = (status: number | null): boolean => status !== null && status < 300;

const idOf = ({ at }: RunRequest): string => at.toString(36);

/** The requests of each run, in the order of their beginning. */
function groups(recorded: Recorded): RunRequest[][] {
  const open = new Map<string, { requests: RunRequest[]; end: number }>();
  const all: RunRequest[][] = [];
  for (const request of recorded.requests) {
    const end = endOf(request, recorded);
    const current = open.get(request.agent);
    if (current && request.at <= current.end + pauseMs) {
      current.requests.push(request);
      current.end = Math.max(current.end, end);
    } else {
      const requests = [request];
      open.set(request.agent, { requests, end });
      all.push(requests);
    }
  }
  return all;
}

/** The time at which a request and the operations that it has started had ended. */
function endOf(request: RunRequest, recorded: Recorded): number {
  return Math.max(request.at + request.milliseconds, ...operationsOf(request, recorded).map(endOfOperation));
}

const endOfOperation = ({ startedAt, milliseconds }: RunOperation): number => startedAt + milliseconds;

function operationsOf({ operations }: RunRequest, { operation }: Recorded): RunOperation[] {
  return operations.flatMap((id) => operation(id) ?? []);
}

function buildRun(requests: readonly RunRequest[], recorded: Recorded): Run {
  const lanes = new Map<string, { object: RunObject; spans: Span[]; requests: RunRequest[] }>();
  for (const request of requests) {
    const object = objectOfRequest(request, recorded);
    const lane = lanes.get(object.key) ?? { object, spans: [], requests: [] };
    lanes.set(object.key, lane);
    lane.requests.push(request);
    lane.spans.push(requestSpan(request), ...operationsOf(request, recorded).map(operationSpan));
  }
  const [first] = requests;
  const from = first?.at ?? 0;
  const to = requests.reduce((end, request) => Math.max(end, endOf(request, recorded)), from);
  const withWaits = waitsOf(
    [...lanes.values()].map(({ object, ...rest }) => ({ ...object, ...rest })),
    from,
  );
  return {
    id: first ? idOf(first) : "",
    from,
    to,
    agent: first?.agent ?? "",
    title: titleOf(requests),
    totals: totalsOf(withWaits, to - from),
    lanes: withCriticalPath(withWaits),
  };
}

function requestSpan({ at, milliseconds, method, path, status, requestId }: RunRequest): Span {
  return {
    kind: "request",
    title: `${method} ${path.split("?", 1)[0] ?? path}`,
    detail: `${status === null ? "connection dropped" : `HTTP ${status}`} · ${requestId}`,
    from: at,
    to: at + milliseconds,
    isFailed: status === null || status >= 400,
    isRead: method === "GET",
    isCritical: false,
  };
}

function operationSpan(operation: RunOperation): Span {
  return {
    kind: "operation",
    title: operation.action.replaceAll("_", " "),
    detail: `${operation.status} · ${operation.id}`,
    from: operation.startedAt,
    to: endOfOperation(operation),
    isFailed: operation.isFailed,
    isRead: false,
    isCritical: false,
  };
}

function titleOf(requests: readonly RunRequest[]): string {
  const verbs = { POST: "created", PATCH: "updated", PUT: "updated", DELETE: "deleted" } as const;
  const counts = new Map<string, number>();
  for (const { method, status } of requests) {
    const verb = isSuccess(status) && method in verbs ? verbs[method as keyof typeof verbs] : undefined;
    if (verb !== undefined) counts.set(verb, (counts.get(verb) ?? 0) + 1);
  }
  return counts.size === 0 ? "no changes" : [...counts].map(([verb, count]) => `${count} ${verb}`).join(", ");
}

function totalsOf(lanes: readonly Lane[], wallMs: number): RunTotals {
  const spans = lanes.flatMap((lane) => lane.spans);
  const sum = (kind: Span["kind"]): number =>
    spans.filter((span) => span.kind === kind).reduce((total, { from, to }) => total + to - from, 0);
  return {
    requests: spans.filter(({ kind }) => kind === "request").length,
    operations: spans.filter(({ kind }) => kind === "operation").length,
    operationMs: sum("operation"),
    wallMs,
    waitMs: sum("wait"),
    failures: spans.filter(({ isFailed }) => isFailed).length,
  };
}
