import { messageOf } from "../../../api/errors";
import type { KindName } from "../../../provider/v1";
import { samples } from "../../support/samples";
import { Stage } from "../../support/stage";
import { table } from "../../support/markdown";
import type { Campaign, Run } from "../campaign";
import { jumps, makeOne, moments } from "./clocks";
import { FutureStage, futures, type Future } from "./future";
import { garbledStates } from "./garbled";
import { judging, useNowhere } from "./judging";
import { oddLife } from "./lives";
import { assertHolds, type Property } from "./property";
import { FullAccount } from "./scale";
import { wire } from "./wire";

const kinds = Object.keys(samples) as KindName[];

/** The counts and the failures of all parts of the campaign. */
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

  /** Does and counts one thing, if there is time left for it. */
  async attempt(what: string, name: string, work: () => Promise<unknown>): Promise<void> {
    if (!this.hasTimeLeft()) return;
    try {
      await work();
    } catch (error) {
      this.fail(`${what}, ${name} (seed ${this.#run.seed}): ${messageOf(error)}`);
    }
    this.count(what);
  }
}

/** Hostile and odd input to the provider, and large accounts. */
export const input: Campaign = {
  name: "input",
  title: "Generated programs, states, clocks and responses",
  share: 2,
  carryOut: async (run) => {
    const tally = new Tally(run);
    const costs = await scale(tally);
    await future(tally);
    await clocks(tally);
    await states(tally);
    // These alternate for the rest of the time.
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
    await assertHolds(property, tally.seed(), runs).then(
      (done) => tally.count("odd inputs, answers and names", done),
      (error: unknown) => tally.fail(messageOf(error)),
    );
  }
}

/** Gives work a stage of its own, if there is time left for it. */
async function onStage(tally: Tally, operationTime: string, work: (stage: Stage) => Promise<void>): Promise<void> {
  if (!tally.hasTimeLeft()) return;
  const stage = await Stage.set({ operationTime });
  try {
    await work(stage);
  } finally {
    await stage.strike();
  }
}

/** Each round has its own processes: the rate limit of one process allows no more. */
function lives(tally: Tally): Promise<void> {
  return onStage(tally, "5ms", async (stage) => {
    const later = await stage.anotherServer();
    for (const kind of kinds) {
      await tally.attempt("lives under odd names", kind, () => oddLife(stage, later, kind, tally.seed()));
    }
    await later.stop();
  });
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

function clocks(tally: Tally): Promise<void> {
  return onStage(tally, "100ms", async (stage) => {
    for (const kind of kinds) {
      for (const moment of moments) {
        for (const [name, jump] of Object.entries(jumps)) {
          const work = (): Promise<void> => makeOne(stage, kind, moment, jump);
          await tally.attempt("objects made while the calendar jumps", `${kind}: ${name}, ${moment}`, work);
        }
      }
    }
  });
}

function states(tally: Tally): Promise<void> {
  return onStage(tally, "5ms", async (stage) => {
    for (const kind of kinds) {
      await tally.attempt("kinds with states put together by hand", kind, async () =>
        tally.count("states put together by hand", await garbledStates(stage, kind)),
      );
    }
  });
}

/** @returns the table of the costs */
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
  const rows = account.costs.map(({ what, requests, milliseconds }) => [what, requests, milliseconds]);
  return table(["In a full account", "Requests", "Milliseconds"], rows);
}
