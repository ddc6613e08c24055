import { table } from "../../support/markdown";
import { type Campaign, roundsOf, type Run, runCases } from "../campaign";
import { Lane } from "./lane";
import { planOf, verbs } from "./plan";
import { carryOut, emptied, type Outcome } from "./round";
import { ways } from "./way";

/** Processes that are killed and interrupted while they change something. */
export const kills: Campaign = {
  name: "kills",
  title: "Killed and interrupted runs",
  share: 7,
  carryOut: async (run) => {
    const { ran, failures } = await runRounds(run, roundsOf(run, 1), run.only === undefined ? 3 : 1);
    const outcomes = ran.flatMap(({ result }) => result ?? []);
    return { counts: countsOf(outcomes), failures, details: tableOf(outcomes) };
  },
};

/** Runs the rounds of these numbers, or as many as the time allows. Each worker has a stack. */
export async function runRounds(
  run: Pick<Run, "seed" | "deadline" | "say">,
  numbers: Iterable<number>,
  workers: number,
) {
  let lanes = 0;
  return runCases(run, {
    campaign: "kills",
    cases: numbers,
    nameOf: String,
    workers,
    every: 1,
    open: () => Lane.open(`${run.seed} ${(lanes += 1)}`),
    close: async (lane) => {
      try {
        if (lane.isMade) await emptied(lane);
      } finally {
        await lane.close();
      }
    },
    work: (lane, round) => carryOut(lane, planOf(run.seed, round)),
  });
}

function countsOf(outcomes: readonly Outcome[]): Record<string, number> {
  const sum = (of: (outcome: Outcome) => number): number => outcomes.reduce((total, one) => total + of(one), 0);
  return {
    rounds: outcomes.length,
    struck: sum(({ struck }) => (struck ? 1 : 0)),
    "healed by one up": sum(({ ups, problems }) => (ups === 1 && problems.length === 0 ? 1 : 0)),
    "on another machine": sum(({ plan }) => (plan.forgets ? 1 : 0)),
    "with Pulumi's backup of the state": sum(({ mended }) => (mended ? 1 : 0)),
    "adopted as told": sum(({ adopted }) => adopted),
    "beyond recognition": sum(({ unknowable }) => unknowable),
  };
}

function tableOf(outcomes: readonly Outcome[]): string {
  const rows = ways.map((way) => {
    const own = outcomes.filter(({ plan, struck }) => struck && plan.way === way);
    return [way, ...verbs.map((verb) => own.filter(({ plan }) => plan.verb === verb).length)];
  });
  return table(["struck by", ...verbs], rows);
}
