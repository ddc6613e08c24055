import { messageOf } from "../../api/core/errors";
import { currentDoor, type Door } from "../support/door";
import type { Backend } from "./kills/plan";

/** A part of the long run. */
export interface Campaign {
  /** Its name in `--only`. */
  readonly name: string;
  /** The property that the campaign checks. */
  readonly title: string;
  /** Its share of the time, relative to the others. */
  readonly share: number;
  /** Runs until everything is done or the time is over. */
  readonly carryOut: (run: Run) => Promise<Findings>;
}

export interface Run {
  /** Repeats the run: it determines everything random. */
  readonly seed: number;
  /** When to start nothing more, on the clock of `performance.now()`. */
  readonly deadline: number;
  /** The name of the only case to run, or the beginning of the names of some. Default: all until the deadline. */
  readonly only?: string | undefined;
  /** Where the campaign `kills` keeps the state. Default: each backend in turn. */
  readonly backend?: Backend | undefined;
  /** How the campaign `kills` reaches the kinds. Default: each door in turn. The others use the current one. */
  readonly door?: Door | undefined;
  /** Shows the progress, and each failure at once with the command that repeats it. */
  readonly say: (line: string) => void;
}

export interface Findings {
  /** What was done how often, in display order, such as `{ cases: 3025, disagreements: 0 }`. */
  readonly counts: Readonly<Record<string, number>>;
  /** What went wrong, each with the command that repeats it. */
  readonly failures: readonly string[];
}

/** The cases of a campaign, and how workers run them. */
export interface Cases<Worker, Case, Result extends Judged> {
  readonly campaign: string;
  readonly cases: Iterable<Case>;
  /** The name by which `--case` repeats a case. */
  readonly nameOf: (one: Case) => string;
  readonly workers: number;
  readonly open: () => Promise<Worker>;
  readonly close: (worker: Worker) => Promise<unknown>;
  readonly work: (worker: Worker, one: Case) => Promise<Result>;
  /** A case that takes longer hangs, on a busy machine as well. In milliseconds. Default: no case does. */
  readonly patience?: number;
  /** After how many cases to report the progress. Default: never. */
  readonly every?: number;
}

export interface Judged {
  /** What is wrong; empty for a case that has passed. */
  readonly problems: readonly string[];
}

/** A case that was run; the result is `undefined` if it threw an error or has hung. */
export interface Ran<Case, Result> extends Judged {
  readonly case: Case;
  readonly result: Result | undefined;
}

/**
 * Runs cases. Each worker runs one after the other; a worker on which a case has failed is replaced.
 *
 * @returns the cases that were started, in their order, and a text about each failure
 */
export async function runCases<Worker, Case, Result extends Judged>(
  { seed, deadline, say }: Pick<Run, "seed" | "deadline" | "say">,
  order: Cases<Worker, Case, Result>,
): Promise<{ readonly ran: readonly Ran<Case, Result>[]; readonly failures: readonly string[] }> {
  const { campaign, nameOf, open, close, work, patience = Infinity, every = Infinity } = order;
  const ran: Ran<Case, Result>[] = [];
  const failures: string[] = [];
  const fail = (title: string, problems: readonly string[]): void => {
    const failure = [title, ...problems].join("\n    ");
    failures.push(failure);
    say(`✘ ${failure}`);
  };
  const waiting = indexed(order.cases);
  let done = 0;
  const runAll = async (): Promise<void> => {
    let worker: Worker | undefined;
    for (const [index, one] of waiting) {
      if (performance.now() > deadline) break;
      let result: Result | undefined;
      let problems: readonly string[];
      try {
        worker ??= await open();
        result = await within(patience, work(worker, one));
        ({ problems } = result);
      } catch (error) {
        problems = [messageOf(error)];
      }
      ran[index] = { case: one, problems, result };
      done += 1;
      if (done % every === 0) say(every === 1 ? nameOf(one) : `${done} cases`);
      if (problems.length === 0) continue;
      fail(commandFor(campaign, seed, nameOf(one)), problems);
      if (worker !== undefined) await close(worker).catch(() => undefined);
      worker = undefined;
    }
    if (worker === undefined) return;
    await close(worker).catch((error: unknown) => fail(`the end of ${campaign}, seed ${seed}`, [messageOf(error)]));
  };
  await Promise.all(Array.from({ length: order.workers }, runAll));
  return { ran: Object.values(ran), failures };
}

function commandFor(campaign: string, seed: number, name: string): string {
  const quoted = name.replaceAll("'", "'\\''");
  return `node dist/tests/reliability/long.js --only ${campaign} --door ${currentDoor()} --seed ${seed} --case '${quoted}'`;
}

/** The case of this name, or else all cases whose names begin with it. */
export function named<Case>(
  cases: readonly Case[],
  nameOf: (one: Case) => string,
  { only = "" }: Pick<Run, "only">,
): readonly Case[] {
  const exactly = cases.filter((one) => nameOf(one) === only);
  return exactly.length > 0 ? exactly : cases.filter((one) => nameOf(one).startsWith(only));
}

function* indexed<Item>(items: Iterable<Item>): Generator<readonly [index: number, item: Item]> {
  let index = 0;
  for (const item of items) yield [index++, item];
}

async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    if (milliseconds < Infinity)
      timer = setTimeout(
        () => reject(new Error(`it hangs: it has not ended after ${milliseconds / 1000} s`)),
        milliseconds,
      );
  });
  // A failure after the limit has no receiver.
  work.catch(() => undefined);
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
