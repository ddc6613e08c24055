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
  const first = await stage.anotherServer({ ...options, home: stage.server.home });
  try {
    return await work(first);
  } finally {
    await first.stop();
  }
}

/** So little that a case which uses all of it is over soon, and more than the looks for a lost answer take. */
const options: StageOptions = { operationTime: "5ms", config: { operationTimeout: "5s" } };

async function open(): Promise<Lane> {
  const stage = await Stage.set(options);
  const later = await stage.anotherServer({ ...options, home: stage.server.home });
  return { stage, later };
}

async function close({ stage, later }: Lane): Promise<void> {
  await later.stop();
  await stage.strike();
}

/** Has work done on several lanes at the same time, each doing one after the other. A lane where one hangs is renewed. */
export async function onLanes<Item, Result>(
  count: number,
  items: readonly Item[],
  milliseconds: number,
  work: (lane: Lane, item: Item) => Promise<Result>,
  hung: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = [...items];
  const lanes = Array.from({ length: Math.min(count, items.length) }, async () => {
    let lane = await open();
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      const result = await within(milliseconds, work(lane, item));
      results.push(result === late ? hung(item) : result);
      if (result !== late) continue;
      await close(lane);
      lane = await open();
    }
    await close(lane);
  });
  await Promise.all(lanes);
  return results;
}

const late = Symbol("late");

async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result | typeof late> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<typeof late>((resolve) => (timer = setTimeout(() => resolve(late), milliseconds)));
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
    // What comes of it later is nobody's business any more.
    work.catch(() => undefined);
  }
}
