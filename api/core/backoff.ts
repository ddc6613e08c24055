/** In milliseconds. */
const firstDelay = 200;
const maxDelay = 5_000;
const growth = 1.24;
const jitter = 0.05;

/**
 * Returns how long to wait before the next retry, in milliseconds.
 *
 * The delay is a fixed share of the age. The lost time therefore stays a few per cent of the total time, and the number
 * of retries grows with the logarithm of that time. It never exceeds five seconds, the interval that the platform
 * suggests.
 *
 * @param age milliseconds since the start
 */
export function backoffDelay(age: number, random: () => number = Math.random): number {
  // If the jitter made the first retry slightly early, the second one must not follow immediately.
  return jittered(Math.min(Math.max(firstDelay - age, age * (growth - 1)), maxDelay), random);
}

/** A delay that differs by up to 5 %, so that processes that started at the same time do not stay in step. */
export function jittered(delay: number, random: () => number = Math.random): number {
  return delay * (1 + jitter * (2 * random() - 1));
}
