import type { KindName } from "../../../provider/v1";
import { samples } from "../../support/samples";
import { Stage } from "../../support/stage";
import type { Campaign, Run } from "../campaign";
import { jumps, makeOne, moments } from "./clocks";
import { FutureStage, futures, type Future } from "./future";
import { garbledStates } from "./garbled";
import { judging, useNowhere } from "./judging";
import { livesOf } from "./lives";
import { tried, type Property } from "./property";
import { FullAccount } from "./scale";
import { wire } from "./wire";

const kinds = Object.keys(samples) as KindName[];

/** What the parts of the campaign count, and what goes wrong in them. */
class Tally {
  readonly counts: Record<string, number> = {};
  readonly failures: string[] = [];
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  hasTimeLeft(): boolean {
    return performance.now() < this.#run.deadline;
  }

  seed(): number {
    return Math.floor(this.#run.draw() * 2 ** 31);
  }

  count(what: string, many = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + many;
  }

  fail(what: string): void {
    this.failures.push(what);
    this.#run.say(what);
  }

  /** Does one thing, if there is time left for it, and counts it. */
  async attempt(what: string, name: string, work: () => Promise<unknown>): Promise<void> {
    if (!this.hasTimeLeft()) return;
    try {
      await work();
    } catch (error) {
      this.fail(`${what}, ${name} (seed ${this.#run.seed}): ${error instanceof Error ? error.message : String(error)}`);
    }
    this.count(what);
  }
}

/** Hostile and odd input on our side of the API, and very much of it. */
export const input: Campaign = {
  name: "input",
  title: "Whatever a program, a state, a clock or the platform says, nothing breaks, and nothing is lost or doubled",
  share: 2,
  carryOut: async (run) => {
    const tally = new Tally(run);
    const costs = await scale(tally);
    await future(tally);
    await clocks(tally);
    await states(tally);
    // For the rest of the time, in turns.
    useNowhere();
    do {
      await properties(tally, [...judging(), ...wire()], 100);
      await lives(tally);
    } while (tally.hasTimeLeft());
    return { counts: tally.counts, failures: tally.failures, details: costs };
  },
};

async function properties(tally: Tally, all: readonly Property[], runs: number): Promise<void> {
  for (const property of all) {
    if (!tally.hasTimeLeft()) return;
    const { runs: done, failure } = await tried(property, tally.seed(), runs * property.weight);
    tally.count("odd inputs, answers and names", done);
    if (failure !== undefined) tally.fail(`${property.group}: ${property.name}\n${failure}`);
  }
}

/** A process asks the platform so much only in a minute: each round has processes of its own. */
async function lives(tally: Tally): Promise<void> {
  if (!tally.hasTimeLeft()) return;
  const stage = await Stage.set({ operationTime: "5ms" });
  const later = await stage.anotherServer();
  try {
    for (const kind of kinds) {
      if (!tally.hasTimeLeft()) return;
      const { lives: led, failures } = await livesOf(stage, later, kind, { seed: tally.seed(), count: 1 });
      tally.count("lives under odd names", led);
      for (const failure of failures) tally.fail(failure);
    }
  } finally {
    await later.stop();
    await stage.strike();
  }
}

async function future(tally: Tally): Promise<void> {
  const what = "kinds on a platform of tomorrow";
  const [, ...ofWhatIs] = Object.keys(futures) as Future[];
  for (const kind of kinds) {
    if (!tally.hasTimeLeft()) return;
    const tomorrow = await FutureStage.set();
    await tally.attempt(what, `${kind}: its life`, () => tomorrow.life(kind));
    for (const one of ofWhatIs) await tally.attempt(what, `${kind}: ${one}`, () => tomorrow.reading(kind, one));
    await tomorrow.strike();
  }
}

async function clocks(tally: Tally): Promise<void> {
  if (!tally.hasTimeLeft()) return;
  const stage = await Stage.set({ operationTime: "100ms" });
  for (const kind of kinds) {
    for (const moment of moments) {
      for (const [name, jump] of Object.entries(jumps)) {
        const work = (): Promise<void> => makeOne(stage, kind, moment, jump);
        await tally.attempt("objects made while the calendar jumps", `${kind}: ${name}, ${moment}`, work);
      }
    }
  }
  await stage.strike();
}

async function states(tally: Tally): Promise<void> {
  if (!tally.hasTimeLeft()) return;
  const stage = await Stage.set({ operationTime: "5ms" });
  for (const kind of kinds) {
    await tally.attempt("kinds with states put together by hand", kind, async () =>
      tally.count("states put together by hand", await garbledStates(stage, kind)),
    );
  }
  await stage.strike();
}

/** Answers the table of what each step has cost. */
async function scale(tally: Tally): Promise<string> {
  const account = await FullAccount.fill({ keys: 10_000, projects: 5_000, branches: 10_000 });
  const what = "steps in an account with 10,000 keys, 5,000 projects and 10,000 branches";
  try {
    await tally.attempt(what, "listing", () => account.list());
    await tally.attempt(what, "finding", () => account.find());
    await tally.attempt(what, "listing while it changes", async () =>
      tally.count("branches deleted and made between two pages", await account.listWhileItChanges()),
    );
  } finally {
    await account.close();
  }
  const rows = account.costs.map((one) => `| ${one.what} | ${one.requests} | ${one.milliseconds} |`);
  return ["| In a full account | Requests | Milliseconds |", "| --- | --: | --: |", ...rows].join("\n");
}
