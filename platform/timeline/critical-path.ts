import type { Lane, Span } from "./run";

/** Two spans that follow each other may overlap by this much: the platform answers while it starts an operation. */
const overlapMs = 50;

/**
 * Marks the spans that decided how long the run took: from the last end backwards, each time to the change or the operation that
 * ended last before.
 */
export function withCriticalPath(lanes: readonly Lane[]): Lane[] {
  const candidates = lanes
    .flatMap(({ spans }) => spans)
    .filter(({ kind, isRead }) => kind !== "wait" && !isRead)
    .sort((one, other) => other.to - one.to);
  const critical = new Set<Span>();
  let next = candidates[0];
  while (next) {
    const { from } = next;
    critical.add(next);
    next = candidates.find((span) => !critical.has(span) && span.to <= from + overlapMs && span.from < from);
  }
  return lanes.map((lane) => ({
    ...lane,
    spans: lane.spans.map((span) => (critical.has(span) ? { ...span, isCritical: true } : span)),
  }));
}
