import { titleOf } from "../support/sample";
import { everySample } from "../support/samples";
import { Stage } from "../support/stage";
import { named, runCases, type Run } from "./campaign";
import { nameOf, recoveriesOf, record, type Case, type Clean } from "./case";
import { operationFaults, requestFaults, type Fault } from "./fault";
import { laneOptions, withFresh } from "./lanes";
import type { Point } from "./point";
import { verbsOf } from "./subject";

/** Which cases of the fault matrix to run, and how. */
export interface Choice extends Run {
  readonly workers: number;
  /** How many cases are drawn. Default: all. */
  readonly sample?: number;
  /** Whether to include the cases that take long in real time. */
  readonly slow: boolean;
}

/** What each verb of each kind does without faults. It is recorded, so that new kinds and requests are covered. */
export async function cleanRuns({ only = "", ...run }: Choice): Promise<readonly Clean[]> {
  // The name of a case begins with its sample and verb.
  const [ofSample, ofVerb] = only.split("/");
  const chosen = everySample.filter((sample) => only === "" || titleOf(sample) === ofSample);
  const { ran, failures } = await runCases(
    { ...run, deadline: Infinity },
    {
      campaign: "matrix",
      cases: chosen,
      nameOf: titleOf,
      workers: Math.min(run.workers, chosen.length),
      patience: 600_000,
      open: () => Stage.start(laneOptions),
      close: (stage) => stage.stop(),
      work: async (stage, sample) => {
        const verbs = await verbsOf(stage, sample);
        const cleans: Clean[] = [];
        for (const verb of verbs.filter(({ title }) => ofVerb === undefined || title === ofVerb)) {
          cleans.push(await withFresh(stage, (first) => record(stage, first, sample, verb)));
        }
        return { problems: [], cleans };
      },
    },
  );
  if (failures.length > 0) throw new Error(`without any fault:\n${failures.join("\n")}`);
  return ran.flatMap(({ result }) => result?.cleans ?? []);
}

/** Every fault at every moment, with each recovery. */
export function casesOf(cleans: readonly Clean[], choice: Pick<Choice, "only" | "slow">): readonly Case[] {
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
export function faultsAt(point: Point): readonly Fault[] {
  const all = point.is === "request" ? requestFaults : operationFaults;
  return all.filter(({ suits }) => suits?.(point) ?? true);
}
