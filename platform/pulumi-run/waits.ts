import type { Lane, RunRequest, Span } from "./run";

/** The longest time between the end of a change and the start of the change that has waited: one poll, and the request. */
const reactionMs = 2_500;
const tooMany = 429;
const lockedStatus = 423;

/** A lane without its waits, and the requests that are drawn in it. */
interface LaneOfRequests extends Lane {
  readonly requests: readonly RunRequest[];
}

/** A request or an operation that changed something, and the lane that it is drawn in. */
interface EndedChange {
  readonly key: string;
  readonly to: number;
}

/** Adds to each lane the time that its changes waited: for the lock of the project, or for the rate limit. */
export function waitsOf(lanes: readonly LaneOfRequests[], from: number): Lane[] {
  const changes = lanes
    .flatMap(({ key, spans }): EndedChange[] => spans.filter(({ isRead }) => !isRead).map(({ to }) => ({ key, to })))
    .sort((one, other) => one.to - other.to);
  const ofProjects = changes.filter(({ key }) => isProject(key));
  return lanes.map(({ requests, ...lane }) => {
    const waits = [...refusals(requests), ...lockWaits(lane, changes, ofProjects, from)];
    return { ...lane, spans: [...lane.spans, ...waits].sort((one, other) => one.from - other.from) };
  });
}

const isProject = (key: string): boolean => key.startsWith("project ");

/** The time between a request that was refused for now and its repetition. */
function refusals(requests: readonly RunRequest[]): Span[] {
  const next = new Map<string, RunRequest>();
  const waits: Span[] = [];
  for (const request of requests.toReversed()) {
    const sent = `${request.method} ${request.path}`;
    const again = next.get(sent);
    const reason = reasons[request.status ?? 0];
    if (again && reason !== undefined) waits.push(wait(reason, request.at + request.milliseconds, again.at));
    next.set(sent, request);
  }
  return waits;
}

const reasons: Readonly<Record<number, string>> = {
  [tooMany]: "waits for the rate limit",
  [lockedStatus]: "waits for the project",
};

/**
 * The time that an object waited for the lock of its project. The provider sends one change per project at a time, so it waits
 * without a request. The wait shows if the first change of an object follows directly after the end of another object's change.
 *
 * @param changes the changes of all lanes, in the order of their ends
 * @param ofProjects those changes that are about a project itself
 */
function lockWaits(
  { key, spans }: Lane,
  changes: readonly EndedChange[],
  ofProjects: readonly EndedChange[],
  from: number,
): Span[] {
  const first = spans.find(({ kind, isRead }) => kind === "request" && !isRead);
  if (!first || isProject(key)) return [];
  const last = lastEnd(changes, first.from, key);
  if (last === undefined || first.from - last > reactionMs) return [];
  // A project has to exist before anything in it can wait.
  const began = Math.max(from, lastEnd(ofProjects, first.from, key) ?? from);
  return first.from > began ? [wait("waits for the project", began, first.from)] : [];
}

/** The latest end, not after a time, of a change of another lane. */
function lastEnd(changes: readonly EndedChange[], time: number, key: string): number | undefined {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle]?.to ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  while (low > 0 && changes[low - 1]?.key === key) low -= 1;
  return changes[low - 1]?.to;
}

function wait(title: string, from: number, to: number): Span {
  return { kind: "wait", title, detail: "", from, to, isFailed: false, isRead: false, isCritical: false };
}
