import type { Lane, RunRequest, Span } from "./run";

/** How soon after the end of another change the next one follows, if it has waited for that: one poll, and the request. */
const reactionMs = 2_500;
const tooMany = 429;
const locked = 423;

interface LanedRequest {
  readonly request: RunRequest;
  readonly lane: string;
}

/** Adds to each lane the time that its changes waited: for the lock of the project, or for the rate limit. */
export function waitsOf(lanes: readonly Lane[], requests: readonly LanedRequest[], from: number): Lane[] {
  const changes = lanes.flatMap(({ key, spans }) =>
    spans.filter(({ isRead }) => !isRead).map((span) => ({ key, span })),
  );
  return lanes.map((lane) => {
    const own = requests.filter(({ lane: key }) => key === lane.key).map(({ request }) => request);
    const waits = [...refusals(own), ...lockWaits(lane, changes, from)];
    return { ...lane, spans: [...lane.spans, ...waits].sort((one, other) => one.from - other.from) };
  });
}

/** A request that was refused for now, until it was sent again. */
function refusals(requests: readonly RunRequest[]): Span[] {
  return requests.flatMap((request, position) => {
    const reason = reasons[request.status ?? 0];
    if (reason === undefined) return [];
    const again = requests
      .slice(position + 1)
      .find(({ method, path }) => method === request.method && path === request.path);
    return again ? [wait(reason, request.at + request.milliseconds, again.at)] : [];
  });
}

const reasons: Readonly<Record<number, string>> = {
  [tooMany]: "waits for the rate limit",
  [locked]: "waits for the project",
};

/**
 * The provider sends one change per project at a time, so it waits without a request. That shows in a first change that follows
 * at once on the end of another object's change.
 */
function lockWaits(
  { key, spans }: Lane,
  changes: readonly { readonly key: string; readonly span: Span }[],
  from: number,
): Span[] {
  const [first] = spans.filter(({ kind, isRead }) => kind === "request" && !isRead);
  if (!first) return [];
  const others = changes.filter((change) => change.key !== key && change.span.to <= first.from);
  const last = Math.max(...others.map(({ span }) => span.to));
  if (others.length === 0 || first.from - last > reactionMs) return [];
  // A project has to be there before anything in it can wait.
  const project = others.find((change) => change.key.startsWith("project "))?.span.from ?? from;
  const projectEnd = Math.max(
    project,
    ...others.filter((change) => change.key.startsWith("project ")).map(({ span }) => span.to),
  );
  const began = Math.max(from, projectEnd);
  return first.from - began > 0 && !key.startsWith("project ")
    ? [wait("waits for the project", began, first.from)]
    : [];
}

function wait(title: string, from: number, to: number): Span {
  return { kind: "wait", title, detail: "", from, to, isFailed: false, isRead: false, isCritical: false };
}
