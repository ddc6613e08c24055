import { backoffDelay } from "../backoff";
import type { Estimate } from "./learned-durations";

/** In milliseconds. */
export const minDelay = 20;
const maxDelay = 5_000;
/** The longest delay before the time at which the operations probably end: they may be faster this time, or have failed. */
const maxAhead = 10_000;
/** For how long to poll closely for operations that have taken no time so far, in milliseconds. */
const minLatest = 100;
/** About how many polls to spread over the time in which the operations probably end. */
const spread = 5;
/** By what share of the age to wait in that time, at least and at most. */
const minGrowth = 0.05;
const maxGrowth = 0.2;

/**
 * Returns how long to wait before the next poll for operations, in milliseconds.
 *
 * Without an estimate, this is the delay of a retry. With one, the first poll comes soon after the earliest time, and the next
 * ones follow each other the more closely, the less the known durations vary. After the latest time, the delay grows until it
 * is that of a retry again. If the estimate is a guess, a few polls come before, each at twice the age of the one before,
 * because the operations may be much faster this time.
 *
 * @param age milliseconds since the operations were started
 * @param count how many operations were started
 */
export function pollDelay(age: number, count: number, estimate: Estimate | undefined): number {
  if (estimate === undefined) return backoffDelay(age, count);
  const { isGuess } = estimate;
  const earliest = Math.max(estimate.earliest, 1);
  const latest = Math.max(estimate.latest, minLatest);
  const even = (latest / earliest) ** (1 / spread) - 1;
  const within = Math.min(Math.max(even, minGrowth), maxGrowth);
  // At the earliest time itself the operations have hardly ever ended.
  const first = Math.min(earliest * (1 + minGrowth), latest);
  const left = Math.min(first - age, maxAhead);
  if (left >= 1) return Math.max(isGuess ? Math.min(left, Math.max(backoffDelay(0, count), age)) : left, minDelay);
  const regular = age * Math.max(within, age / latest - 1);
  // Durations that were seen are more probable than those between: one poll comes when they have just passed.
  const repeated = estimate.repeated - age;
  const delay = repeated >= 1 ? Math.min(regular, repeated) : regular;
  const longest = age > latest ? backoffDelay(age, count) : maxDelay;
  return Math.min(Math.max(delay, minDelay), longest);
}
