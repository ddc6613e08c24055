/** Works on all items, so many at a time, and returns the results in the order of the items. */
export async function inLanes<Item, Result>(
  lanes: number,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = [...items.entries()];
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, item] = next;
      results[index] = await work(item, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, lane));
  return results;
}

/** The numbers from 0 up to, but without, this one. */
export function numbersBelow(end: number): number[] {
  return Array.from({ length: end }, (_, index) => index);
}
