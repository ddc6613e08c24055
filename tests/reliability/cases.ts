import { samples } from "../support/samples";
import { named, runCases, type Run } from "./campaign";
import { nameOf, record, recoveries, type Case, type Clean } from "./case";
import { operationFaults, requestFaults, type Fault } from "./fault";
import { lanes, withFresh } from "./lanes";
import type { Point } from "./point";
import { verbsOf } from "./subject";

/** Which cases of the fault matrix to run, and how. */
export interface Choice extends Run {
  /** Default: all. */
  readonly kinds?: readonly string[];
  /** How many cases run at the same time. */
  readonly workers: number;
  /** How many cases are drawn. Default: all. */
  readonly sample?: number;
  /** Whether to include the cases that take long in real time. */
  readonly slow: boolean;
}

/** What each verb of each kind does without faults. It is recorded, so that new kinds and requests are covered. */
export async function cleanRuns({ kinds, only = "", ...run }: Choice): Promise<readonly Clean[]> {
  // The name of a case begins with its kind and verb.
  const [ofKind, ofVerb] = only.split("/");
  const recorded = async <Item, Result>(
    items: readonly Item[],
    nameOfItem: (item: Item) => string,
    work: (lane: Parameters<typeof withFresh>[0], item: Item) => Promise<Result>,
  ): Promise<Result[]> => {
    const { ran, failures } = await runCases(
      { ...run, deadline: Infinity },
      {
        ...lanes,
        campaign: "matrix",
        cases: items,
        nameOf: nameOfItem,
        workers: Math.min(run.workers, items.length),
        patience: 180_000,
        every: Infinity,
        work: async (lane, item) => ({ problems: [], recorded: await work(lane, item) }),
      },
    );
    if (failures.length > 0) throw new Error(`without any fault:\n${failures.join("\n")}`);
    return ran.flatMap(({ result }) => (result === undefined ? [] : [result.recorded]));
  };
  const verbs = await recorded(
    Object.values(samples).filter(({ kind }) => (kinds?.includes(kind) ?? true) && (only === "" || kind === ofKind)),
    ({ kind }) => kind,
    async ({ stage }, sample) => (await verbsOf(stage, sample)).map((verb) => ({ sample, verb })),
  );
  return recorded(
    verbs.flat().filter(({ verb }) => ofVerb === undefined || verb.title === ofVerb),
    ({ sample, verb }) => `${sample.kind}/${verb.title}`,
    (lane, { sample, verb }) => withFresh(lane, (first) => record(lane.stage, first, sample, verb)),
  );
}

/** Every fault at every moment, with each recovery. */
export function casesOf(cleans: readonly Clean[], choice: Pick<Choice, "only" | "slow">): readonly Case[] {
  const all = cleans.flatMap((clean) =>
    clean.points.flatMap((point) =>
      faultsAt(point).flatMap((fault) =>
        // After a failed delete, the same command and `destroy` are the same.
        recoveries
          .filter((recovery) => clean.verb.is !== "delete" || recovery !== "up")
          .map((recovery) => ({ clean, point, fault, recovery })),
      ),
    ),
  );
  return named(all, nameOf, choice).filter(({ fault, point }) => choice.slow || fault.isSlow?.(point) !== true);
}

function faultsAt(point: Point): readonly Fault[] {
  return (point.is === "request" ? requestFaults : operationFaults).filter(({ suits }) => suits?.(point) ?? true);
}
