/** Numbers from 0 to 1 that a seed determines. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** So many of a list, each as likely as any other, in an order that the draws determine. */
export function sampleOf<Item>(all: readonly Item[], count: number, draw: () => number): Item[] {
  return all
    .map((item) => ({ item, at: draw() }))
    .sort((one, other) => one.at - other.at)
    .slice(0, count)
    .map(({ item }) => item);
}

/**
 * The seed of the quick part of a campaign. It is the same in every `npm test`, so that what passes there is no matter of
 * luck: to find something new is the long run's. `NEON_TEST_SEED` sets another one.
 */
export function quickSeed(): number {
  return Number(process.env["NEON_TEST_SEED"] ?? 7);
}
