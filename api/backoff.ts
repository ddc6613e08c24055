/** In milliseconds. */
const firstDelay = 200;
const maxDelay = 5_000;
const growth = 1.24;
const jitter = 0.05;

/**
 * Returns how long to wait before the next poll or retry, in milliseconds.
 *
 * The delay is a fixed share of the age: the detection lag stays a few per cent of the total time, and the number of polls
 * grows with its logarithm. It never exceeds five seconds, the interval that the platform suggests. The jitter spreads the
 * polls of processes that started at the same time.
 *
 * @param age milliseconds since the start
 * @param steps how many operations run one after the other. The first poll allows 200 ms for each.
 */
export function backoffDelay(age: number, steps = 1, random: () => number = Math.random): number {
  const first = firstDelay * steps;
  // If the jitter made the first poll slightly early, the second one must not follow immediately.
  const target = Math.min(Math.max(first - age, age * (growth - 1)), maxDelay);
  return target * (1 + jitter * (2 * random() - 1));
}
