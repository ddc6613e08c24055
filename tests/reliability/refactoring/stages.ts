import { Stage } from "../../support/stage";
import { laneOptions } from "../lanes";

/** How work is done on stages. */
interface Staged<Item, Result> {
  readonly stages: number;
  readonly items: readonly Item[];
  /** Work that takes longer, in milliseconds, has come to nothing. */
  readonly patience: number;
  readonly work: (stage: Stage, item: Item) => Promise<Result>;
  /** What counts as the result of work that has come to nothing. */
  readonly late: (item: Item) => Result;
  /** When to begin nothing more, as `performance.now()` tells time. */
  readonly deadline: number;
}

/**
 * Has work done on several stages at the same time, each doing one after the other. A stage where one hangs is renewed.
 * Whoever works there starts the provider processes.
 *
 * @returns what came of each that was begun
 */
export async function onStages<Item, Result>(order: Staged<Item, Result>): Promise<Result[]> {
  const { items, patience, work, late, deadline } = order;
  const results: Result[] = [];
  const waiting = items.values();
  const lanes = Array.from({ length: Math.min(order.stages, items.length) }, async () => {
    let stage = await Stage.withoutServer(laneOptions);
    for (const item of waiting) {
      if (performance.now() > deadline) break;
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), patience)));
      const done = await Promise.race([work(stage, item).then((result) => ({ result })), limit]);
      clearTimeout(timer);
      results.push(done === undefined ? late(item) : done.result);
      if (done !== undefined) continue;
      await stage.strike();
      stage = await Stage.withoutServer(laneOptions);
    }
    await stage.strike();
  });
  await Promise.all(lanes);
  return results;
}
