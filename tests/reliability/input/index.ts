import type { KindName } from "../../../provider/frozen-entry";
import { table } from "../../support/markdown";
import { samples } from "../../support/samples";
import { Stage } from "../../support/stage";
import { type Campaign, type Cases, type Judged, named, runCases } from "../campaign";
import { seededRandom } from "../../support/seeded-random";
import { jumps, makeOne, moments } from "./clocks";
import { FutureStage, futures, type Future } from "./future";
import { garbledStates } from "./garbled";
import { judging, useNowhere } from "./judging";
import { unusualLife } from "./lives";
import { assertHolds } from "./property";
import { type Cost, FullAccount } from "./scale";
import { wire } from "./wire";

const kinds = Object.keys(samples) as KindName[];

/** A part of the campaign: its cases with what each of them does, by their names. */
interface Part<Worker> extends Pick<Cases<Worker, Case<Worker>, Judged>, "open" | "close"> {
  readonly what: string;
  readonly cases: readonly Case<Worker>[];
}
type Case<Worker> = readonly [name: string, work: (worker: Worker, draw: () => number) => Promise<unknown>];

/** Hostile and unusual input to the provider, and large accounts. */
export const input: Campaign = {
  name: "input",
  title: "Generated programs, states, clocks and responses",
  share: 2,
  carryOut: async (run) => {
    const draw = seededRandom(run.seed);
    const counts: Record<string, number> = {};
    const failures: string[] = [];
    const count = (what: string, many: number): void => void (counts[what] = (counts[what] ?? 0) + many);
    const carryOut = async <Worker>({ what, cases, open, close }: Part<Worker>): Promise<void> => {
      const nameOf = ([name]: Case<Worker>): string => name;
      const work = async (worker: Worker, [, act]: Case<Worker>): Promise<Judged> => {
        await act(worker, draw);
        return { problems: [] };
      };
      const order = { campaign: "input", workers: 1, nameOf, open, close, work };
      const done = await runCases(run, { ...order, cases: named(cases, nameOf, run) });
      if (done.ran.length > 0) count(what, done.ran.length);
      failures.push(...done.failures);
    };
    const costs: Cost[] = [];
    await carryOut(scale(costs, count));
    await carryOut(future());
    await carryOut(clocks());
    await carryOut(states(count));
    useNowhere();
    // These alternate for the rest of the time.
    do {
      await carryOut(properties(count));
      await carryOut(lives());
    } while (performance.now() < run.deadline && run.only === undefined);
    const rows = costs.map(({ what, requests, milliseconds }) => [what, requests, milliseconds]);
    return { counts, failures, details: table(["In a full account", "Requests", "Milliseconds"], rows) };
  },
};

type Count = (what: string, many: number) => void;

function scale(costs: Cost[], count: Count): Part<FullAccount> {
  return {
    what: "steps in an account with 10,000 keys, 5,000 projects and 10,000 branches",
    open: () => FullAccount.fill({ keys: 10_000, projects: 5_000, branches: 10_000 }, costs),
    close: (account) => account.close(),
    cases: [
      ["scale/listing", (account) => account.list()],
      ["scale/finding", (account) => account.find()],
      [
        "scale/listing while it changes",
        async (account) => count("branches deleted and made between two pages", await account.listWhileItChanges()),
      ],
    ],
  };
}

/** Each case has its own processes: the rate limit of one process allows no more. */
function future(): Part<undefined> {
  const [, ...ofWhatIs] = Object.keys(futures) as Future[];
  const inFuture = async (work: (tomorrow: FutureStage) => Promise<void>): Promise<void> => {
    const tomorrow = await FutureStage.start();
    try {
      await work(tomorrow);
    } finally {
      await tomorrow.stop();
    }
  };
  return {
    ...noWorker,
    what: "kinds on a platform of tomorrow",
    cases: kinds.flatMap((kind): Case<undefined>[] => [
      [`future/${kind}/its lifecycle`, () => inFuture((tomorrow) => tomorrow.life(kind))],
      ...ofWhatIs.map((one): Case<undefined> => [
        `future/${kind}/${one}`,
        () => inFuture((tomorrow) => tomorrow.reading(kind, one)),
      ]),
    ]),
  };
}

function clocks(): Part<Stage> {
  return {
    ...stageOf("100ms"),
    what: "objects made while the calendar jumps",
    cases: kinds.flatMap((kind) =>
      moments.flatMap((moment) =>
        Object.entries(jumps).map(([name, jump]): Case<Stage> => [
          `clocks/${kind}/${name}, ${moment}`,
          (stage) => makeOne(stage, kind, moment, jump),
        ]),
      ),
    ),
  };
}

function states(count: Count): Part<Stage> {
  return {
    ...stageOf("5ms"),
    what: "kinds with states put together by hand",
    cases: kinds.map((kind) => [
      `states/${kind}`,
      async (stage) => count("states put together by hand", await garbledStates(stage, kind)),
    ]),
  };
}

function properties(count: Count): Part<undefined> {
  return {
    ...noWorker,
    what: "properties",
    cases: [...judging(), ...wire()].map((property) => [
      `properties/${property.group}/${property.name}`,
      async (_, draw) => count("unusual inputs, answers and names", await assertHolds(property, seedOf(draw), 100)),
    ]),
  };
}

/** Each round has its own processes: the rate limit of one process allows no more. */
function lives(): Part<Stage> {
  return {
    ...stageOf("5ms"),
    what: "lives under unusual names",
    cases: kinds.map((kind) => [`lives/${kind}`, (stage, draw) => unusualLife(stage, kind, seedOf(draw))]),
  };
}

const noWorker = { open: () => Promise.resolve(undefined), close: () => Promise.resolve() };

function stageOf(operationTime: string) {
  return { open: () => Stage.start({ operationTime }), close: (stage: Stage) => stage.stop() };
}

function seedOf(draw: () => number): number {
  return Math.floor(draw() * 2 ** 31);
}
