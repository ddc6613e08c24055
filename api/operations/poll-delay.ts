import { jittered } from "../backoff";
import type { Estimate } from "./learned-durations";

/** In milliseconds. */
export const minDelay = 20;
const firstDelay = 200;
const maxDelay = 5_000;
/** The longest delay before the time at which the operations probably end: they may be faster this time, or have failed. */
const maxAhead = 10_000;
/** For how long to poll closely for operations that have taken no time so far, in milliseconds. */
const minLatest = 100;
/** About how many polls to spread over the time in which the operations probably end, or over the time before. */
const spread = 6;
/** By what share of the age to wait in that time, at least. */
const minGrowth = 0.05;
/** How long to wait where nothing is known, as a share of the age. */
const unknownGrowth = 0.15;
/** Up to a few seconds of age, the delay is the geometric mean of the age and this many milliseconds. */
const unknownScale = 40;

/**
 * Returns how long to wait before the next poll for operations, in milliseconds.
 *
 * Without an estimate, the delay grows with the age of the operation. With one, the first poll comes soon after the earliest
 * time, and the next ones follow each other the more closely, the less the known durations vary. After the latest time, the
 * delay grows until it is that without an estimate again. If the estimate is not certain, polls come before, because the
 * operations may be much faster this time.
 *
 * @param age milliseconds since the operation that runs now was started
 * @param count how many operations have not ended. They run one after the other.
 */
export function pollDelay(age: number, count: number, estimate: Estimate | undefined): number {
  if (estimate === undefined) return unknownDelay(age, count);
  const earliest = Math.max(estimate.earliest, 1);
  const latest = Math.max(estimate.latest, minLatest);
  // At the earliest time itself the operations have hardly ever ended.
  const first = Math.min(earliest * (1 + minGrowth), latest);
  const left = Math.min(first - age, maxAhead);
  if (left >= 1) return Math.max(Math.min(left, early[estimate.confidence](age, count, earliest)), minDelay);
  const growth = Math.max(evenGrowth(earliest, latest), minGrowth, age / latest - 1);
  const regular = Math.min(age * growth, unknownDelay(age, count));
  // Durations that were seen are more probable than those between: one poll comes when they have just passed.
  const repeated = estimate.repeated - age;
  return Math.max(repeated >= 1 ? Math.min(regular, repeated) : regular, minDelay);
}

/** How long to wait before the earliest time. */
const early: Readonly<Record<Estimate["confidence"], (age: number, count: number, earliest: number) => number>> = {
  high: () => maxAhead,
  medium: (age, count, earliest) => Math.max(unknownDelay(age, count), age * evenGrowth(firstDelay, earliest)),
  low: unknownDelay,
};

/** The share of the age after which each poll comes, if they are spread evenly between two ages. */
function evenGrowth(from: number, to: number): number {
  return (to / from) ** (1 / spread) - 1;
}

/**
 * How long to wait for operations about which nothing is known.
 *
 * Where any duration is as probable as its double, polls for young operations save the most time if the delay grows with the
 * square root of the age. From a few seconds on it is a share of the age, so that the number of polls grows with the logarithm.
 * As long as several operations have not ended, it is as many times as long: only the end of the last one counts.
 */
function unknownDelay(age: number, count: number): number {
  const regular = Math.max(Math.sqrt(unknownScale * age), unknownGrowth * age);
  return jittered(Math.min(count * Math.max(regular, firstDelay - age), maxDelay));
}
