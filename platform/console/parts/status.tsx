import type { OperationView } from "../../console-server/protocol";
import { durationText } from "../../pulumi-run/scale";
import { toneOf, toneOfState } from "../format";

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
  const share = Math.min(1, length / Math.max(1, longest));
  return (
    <span class="duration">
      <svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="100" height="6" rx="3" />
        <rect class={toneOf(label)} width={Math.max(length > 0 ? 1.5 : 0, share * 100).toFixed(1)} height="6" rx="3" />
      </svg>
      <span class="number">{startedAt === undefined && !isEnded ? "queued" : durationText(length)}</span>
    </span>
  );
}
