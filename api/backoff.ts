/** How the time between two looks grows. All in milliseconds. */
const firstLook = 200;
const growth = 1.24;
const longest = 5_000;
const jitter = 0.05;

/**
 * How long to wait until the next look at something that has been waited for so long.
 *
 * The pause is a fixed share of the age, so that the lag behind whatever is waited for stays a few per cent of its own
 * time while the number of looks grows only with its logarithm. It never exceeds the five seconds that the platform
 * suggests. The jitter keeps processes that started together from asking together.
 *
 * @param age milliseconds since it began
 * @param steps how many things run one after the other until it is done: the first look waits for each of them
 */
export function backoffDelay(age: number, steps = 1, random: () => number = Math.random): number {
  const first = firstLook * steps;
  // A first look that the jitter made a little early is not followed by another at once.
  const target = Math.min(Math.max(first - age, age * (growth - 1)), longest);
  return target * (1 + jitter * (2 * random() - 1));
}
