import type { Lane, Span } from "./run";

/** Two spans that follow each other may overlap by this much: the platform answers while it starts an operation. */
const overlapMs = 50;

/**
 * Marks the spans that decided how long the run took. Goes backwards from the last end, each time to the change or operation that
 * ended last before.
 */
export function withCriticalPath(lanes: readonly Lane[]): Lane[] {
  const candidates = lanes
    .flatMap(({ spans }) => spans)
    .filter(({ kind, isRead }) => kind !== "wait" && !isRead)
    .sort((one, other) => other.to - one.to);
  const critical = new Set<Span>();
  let reached = Infinity;
  // A span that was passed over began or ended too late. That is also true for all earlier spans.
  for (const span of candidates) {
    if (span.to > reached + overlapMs || span.from >= reached) continue;
    critical.add(span);
    reached = span.from;
  }
  return lanes.map((lane) => ({
    ...lane,
    spans: lane.spans.map((span) => (critical.has(span) ? { ...span, isCritical: true } : span)),
  }));
}
