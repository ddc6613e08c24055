import type { OperationView } from "../../console-server/protocol";
import { durationText } from "../../pulumi-run/scale";
import { toneOf, toneOfState } from "../format";

/** A shorter bar could not be seen. */
const shortestShare = 0.015;

/** A word with the color of its meaning. */
export function Badge({ tone, children }: { readonly tone: string; readonly children: string }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** The state of a compute or a branch. */
export function State({ state, pending }: { readonly state: string; readonly pending: string | undefined }) {
  const tone = pending !== undefined ? "busy" : toneOfState(state);
  return (
    <span class={`state ${tone}`}>
      <span class={`dot ${tone}`} />
      {pending === undefined || pending === state ? state : `${state} → ${pending}`}
    </span>
  );
}

/** A share of a whole, from 0 to 1. */
export function Bar({ tone, share }: { readonly tone: string; readonly share: number }) {
  return (
    <svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width="100" height="6" rx="3" />
      <rect class={tone} width={(Math.min(1, share) * 100).toFixed(1)} height="6" rx="3" />
    </svg>
  );
}

/** The time that an operation has run, relative to the longest one. */
export function DurationBar({
  operation,
  longest,
  now,
}: {
  readonly operation: OperationView;
  readonly longest: number;
  readonly now: number;
}) {
  const { startedAt, isEnded, milliseconds, label } = operation;
  const length = isEnded ? milliseconds : startedAt === undefined ? 0 : Math.max(0, now - startedAt);
  return (
    <span class="duration">
      <Bar tone={toneOf(label)} share={length === 0 ? 0 : Math.max(shortestShare, length / Math.max(1, longest))} />
      <span class="number">{startedAt === undefined && !isEnded ? "queued" : durationText(length)}</span>
    </span>
  );
}
