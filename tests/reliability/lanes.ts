import type { DynamicServer } from "../support/dynamic-server";
import { Stage, type StageOptions } from "../support/stage";

/** Where one case at a time runs: a platform, the provider process of first runs, and the one of all later runs. */
export interface Lane {
  readonly stage: Stage;
  readonly later: DynamicServer;
}

/** Has work done with a process that has asked the platform nothing yet. */
export async function withFresh<Result>(
  { stage }: Lane,
  work: (first: DynamicServer) => Promise<Result>,
): Promise<Result> {
  const first = await stage.anotherServer({ ...laneOptions, home: stage.server.home });
  try {
    return await work(first);
  } finally {
    await first.stop();
  }
}

/** So little that a case which uses all of it is over soon, and more than the looks for a lost answer take. */
export const laneOptions: StageOptions = { operationTime: "5ms", config: { operationTimeout: "5s" } };

async function open(): Promise<Lane> {
  const stage = await Stage.set(laneOptions);
  // What comes after a fault has to work, however long that takes on a busy machine.
  const later = await stage.anotherServer({ home: stage.server.home });
  return { stage, later };
}

async function close({ stage, later }: Lane): Promise<void> {
  await later.stop();
  await stage.strike();
}

/** How work is done on lanes. */
export interface Laned<Item, Result> {
  readonly lanes: number;
  readonly items: readonly Item[];
  /** Work that takes longer, in milliseconds, has come to nothing. */
  readonly patience: number;
  readonly work: (lane: Lane, item: Item) => Promise<Result>;
  /** What counts as the result of work that has come to nothing. */
  readonly late: (item: Item) => Result;
  /** When to begin nothing more, as `performance.now()` tells time. Default: never. */
  readonly deadline?: number;
}

/**
 * Has work done on several lanes at the same time, each doing one after the other. A lane where one hangs is renewed.
 *
 * @returns what came of each that was begun, in their order
 */
export async function onLanes<Item, Result>(order: Laned<Item, Result>): Promise<Result[]> {
  const { items, patience, work, late, deadline = Infinity } = order;
  const results: { readonly result: Result }[] = [];
  const waiting = items.entries();
  const lanes = Array.from({ length: Math.min(order.lanes, items.length) }, async () => {
    let lane = await open();
    for (const [index, item] of waiting) {
      if (performance.now() > deadline) break;
      const result = await within(patience, work(lane, item));
      results[index] = { result: result === tooLate ? late(item) : result };
      if (result !== tooLate) continue;
      await close(lane);
      lane = await open();
    }
    await close(lane);
  });
  await Promise.all(lanes);
  return results.map(({ result }) => result);
}

const tooLate = Symbol("too late");

async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result | typeof tooLate> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<typeof tooLate>((resolve) => (timer = setTimeout(() => resolve(tooLate), milliseconds)));
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
    // What comes of it later is nobody's business any more.
    work.catch(() => undefined);
  }
}
