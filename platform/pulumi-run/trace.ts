import type { Run } from "./run";

/** One event of Chrome's trace format. Its times are microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly cat: string;
  readonly ph: "X" | "M";
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly args: Readonly<Record<string, string>>;
}

/** A run as a trace that the viewers of Chrome and Perfetto open: one thread for each lane. */
export function timelineTrace(run: Run): {
  readonly traceEvents: readonly TraceEvent[];
  readonly displayTimeUnit: "ms";
} {
  const micro = (at: number): number => Math.round((at - run.from) * 1_000);
  const traceEvents = run.lanes.flatMap((lane, tid): TraceEvent[] => [
    {
      name: "thread_name",
      cat: "__metadata",
      ph: "M",
      pid: 1,
      tid,
      ts: 0,
      args: { name: `${lane.kind} ${lane.name}` },
    },
    ...lane.spans.map((span): TraceEvent => ({
      name: span.title,
      cat: span.isCritical ? `${span.kind},critical` : span.kind,
      ph: "X",
      pid: 1,
      tid,
      ts: micro(span.from),
      dur: Math.max(1, micro(span.to) - micro(span.from)),
      args: { detail: span.detail, critical: String(span.isCritical) },
    })),
  ]);
  const process: TraceEvent = {
    name: "process_name",
    cat: "__metadata",
    ph: "M",
    pid: 1,
    tid: 0,
    ts: 0,
    args: { name: run.title },
  };
  return { traceEvents: [process, ...traceEvents], displayTimeUnit: "ms" };
}
