/** Work on many items that several workers do at the same time. */
export interface Work<Worker, Item, Result> {
  readonly workers: number;
  readonly open: () => Promise<Worker>;
  readonly close: (worker: Worker) => Promise<void>;
  readonly items: readonly Item[];
  readonly work: (worker: Worker, item: Item) => Promise<Result>;
  /** How long the work on one item may take, in milliseconds. */
  readonly patience: number;
  /** The result for an item that takes longer. */
  readonly late: (item: Item) => Result;
  /** When to start nothing more, on the clock of `performance.now()`. Default: never. */
  readonly deadline?: number;
}

/**
 * Gives each worker one item after the other. A worker that takes too long is closed, and another one is opened.
 *
 * @returns the results of the items that were started, in the order of the items
 */
export async function inParallel<Worker, Item, Result>(order: Work<Worker, Item, Result>): Promise<Result[]> {
  const { items, open, close, work, patience, late, deadline = Infinity } = order;
  const results: { readonly result: Result }[] = [];
  const waiting = items.entries();
  const workers = Array.from({ length: Math.min(order.workers, items.length) }, async () => {
    let worker = await open();
    for (const [index, item] of waiting) {
      if (performance.now() > deadline) break;
      const result = await within(patience, work(worker, item));
      results[index] = { result: result === tooLate ? late(item) : result };
      if (result !== tooLate) continue;
      await close(worker);
      worker = await open();
    }
    await close(worker);
  });
  await Promise.all(workers);
  return results.map(({ result }) => result);
}

const tooLate = Symbol("too late");

async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result | typeof tooLate> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<typeof tooLate>((resolve) => (timer = setTimeout(() => resolve(tooLate), milliseconds)));
  // A failure after the limit has no receiver.
  work.catch(() => undefined);
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
