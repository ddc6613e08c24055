import { seededRandom as random } from "../../platform/storage/seeded-random";

/** Random numbers from 0 to 1 that a seed determines, such as the seed of a campaign and the number of a round. */
export function seededRandom(...seed: readonly number[]): () => number {
  return random(seed.join(" "));
}

/** A random item of a list; `undefined` if the list is empty. */
export function pick<Item>(all: readonly [Item, ...Item[]], draw: () => number): Item;
export function pick<Item>(all: readonly Item[], draw: () => number): Item | undefined;
export function pick<Item>(all: readonly Item[], draw: () => number): Item | undefined {
  return all[Math.floor(draw() * all.length)];
}

/** Some items of a list in random order. */
export function sampleOf<Item>(all: readonly Item[], count: number, draw: () => number): Item[] {
  return all
    .map((item) => ({ item, at: draw() }))
    .sort((one, other) => one.at - other.at)
    .slice(0, count)
    .map(({ item }) => item);
}

/**
 * The seed of the short form of a campaign. It is the same in every `npm test`, so that its result does not depend on
 * chance; the long run uses other seeds. `NEON_TEST_SEED` sets another one.
 */
export function quickSeed(): number {
  return Number(process.env["NEON_TEST_SEED"] ?? 7);
}
