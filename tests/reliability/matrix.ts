import { type Sample, titleOf } from "../support/sample";
import { everySample } from "../support/samples";
import { sampleOf, seededRandom } from "../support/seeded-random";
import { Stage } from "../support/stage";
import { type Campaign, named, type Run, runCases } from "./campaign";
import { type Case, type Clean, nameOf, recoveriesOf, record, run } from "./case";
import { type Fault, operationFaults, requestFaults } from "./fault";
import { laneOptions } from "./lanes";
import type { Point } from "./point";
import { verbsOf } from "./subject";

/** The fault matrix: every fault at every request and operation of every verb of every kind, with each recovery. */
export const matrix: Campaign = {
  name: "matrix",
  title: "Every fault at every request and operation",
  share: 8,
  carryOut: async (whole) => {
    const { all, ran, failures } = await runMatrix({ ...whole, workers: 32, slow: true });
    return {
      counts: {
        "faults at a moment": all.filter(isLikely).length,
        "of them run": ran.filter((one) => isLikely(one.case)).length,
        "cases with every way to go on": all.length,
        "of those run": ran.length,
        disagreements: ran.filter(({ result }) => result === undefined || result.disagreements.length > 0).length,
        "unclear errors": ran.filter(({ result }) => result !== undefined && result.unclear.length > 0).length,
        "not struck": ran.filter(({ result }) => result?.struck === false).length,
      },
      failures,
    };
  },
};

/** Which cases to run, and how. */
interface Choice extends Run {
  readonly workers: number;
  /** How many cases are drawn. Default: all. */
  readonly sample?: number;
  /** Whether to include the cases that take long in real time. */
  readonly slow: boolean;
}

/** How a worker opens and closes its platform. */
const stages = {
  open: () => Stage.start(laneOptions),
  close: (stage: Stage) => stage.stop(),
};

/** Runs cases of the matrix: first, for each moment and fault, the recovery that people choose most likely. */
export async function runMatrix(choice: Choice) {
  const all = casesOf(await cleanRuns(choice), choice);
  const mixed = sampleOf(all, choice.sample ?? all.length, seededRandom(choice.seed));
  const results = await runCases(choice, {
    ...stages,
    campaign: "matrix",
    cases: [...mixed.filter(isLikely), ...mixed.filter((one) => !isLikely(one))],
    nameOf,
    workers: choice.workers,
    // With consent, two reads before the first change are retried for two minutes each.
    patience: 900_000,
    every: 500,
    work: async (stage, one) => {
      // A process asks only once whether its key is valid, and remembers the answer.
      const verdict = one.point.title.startsWith("GET /auth ") ? undefined : await run(stage, stage.server, one);
      // The fault may wait for a request that a process sends only once.
      return verdict?.struck === true ? verdict : withFresh(stage, (first) => run(stage, first, one));
    },
  });
  return { all, ...results };
}

/** The requests of each verb of each kind without faults. They are recorded, so that new kinds and requests are covered. */
async function cleanRuns({ only = "", ...choice }: Choice): Promise<readonly Clean[]> {
  // The name of a case begins with its sample and verb.
  const [ofSample, ofVerb] = only.split("/");
  const chosen = everySample.filter((sample) => only === "" || titleOf(sample) === ofSample);
  const recorded = async (stage: Stage, sample: Sample) => {
    const cleans: Clean[] = [];
    for (const verb of await verbsOf(stage, sample)) {
      if (ofVerb !== undefined && verb.title !== ofVerb) continue;
      cleans.push(await withFresh(stage, (first) => record(stage, first, sample, verb)));
    }
    return { problems: [], cleans };
  };
  const { ran, failures } = await runCases(
    { ...choice, deadline: Infinity },
    {
      ...stages,
      campaign: "matrix",
      cases: chosen,
      nameOf: titleOf,
      workers: Math.min(choice.workers, chosen.length),
      patience: 600_000,
      work: recorded,
    },
  );
  if (failures.length > 0) throw new Error(`without any fault:\n${failures.join("\n")}`);
  return ran.flatMap(({ result }) => result?.cleans ?? []);
}

/** Every fault at every moment, with each recovery. */
function casesOf(cleans: readonly Clean[], choice: Choice): readonly Case[] {
  const all = cleans.flatMap((clean) =>
    clean.points.flatMap((point) =>
      faultsAt(point).flatMap((fault) =>
        recoveriesOf(clean.verb).map((recovery) => ({ clean, point, fault, recovery })),
      ),
    ),
  );
  return named(all, nameOf, choice).filter(({ fault, point }) => choice.slow || fault.isSlow?.(point) !== true);
}

/** The faults that can strike at a moment. */
function faultsAt(point: Point): readonly Fault[] {
  const all = point.is === "request" ? requestFaults : operationFaults;
  return all.filter(({ suits }) => suits?.(point) ?? true);
}

/** Whether a case has the recovery that most people choose: of creations, half of them with consent. */
function isLikely({ clean, point, fault, recovery }: Case): boolean {
  const [likely, other = likely] = recoveriesOf(clean.verb).filter((one) => one.startsWith("up"));
  if (likely === undefined) return recovery === "destroy";
  const isSecond = (clean.points.indexOf(point) + faultsAt(point).indexOf(fault)) % 2 === 1;
  return recovery === (isSecond ? other : likely);
}

/** Gives work a provider process that has not sent any request yet. */
async function withFresh<Result>(stage: Stage, work: (first: Stage["server"]) => Promise<Result>): Promise<Result> {
  const first = await stage.anotherServer({ config: laneOptions.config ?? {} });
  try {
    return await work(first);
  } finally {
    await first.stop();
  }
}
