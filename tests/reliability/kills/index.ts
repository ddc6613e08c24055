import { doors } from "../../support/door";
import { table } from "../../support/markdown";
import { type Campaign, roundsOf, type Run, runCases } from "../campaign";
import { interruptions } from "./interruption";
import { Lane } from "./lane";
import { actions, backends, type Plan, planOf } from "./plan";
import { destroyAll, type Outcome, runRound } from "./round";

/** Processes that are killed and interrupted while they change something. */
export const kills: Campaign = {
  name: "kills",
  title: "Killed and interrupted runs",
  share: 7,
  carryOut: async (run) => {
    const { ran, failures } = await runRounds(run, plansOf(run), run.only === undefined ? 3 : 1);
    const outcomes = ran.flatMap(({ result }) => result ?? []);
    return { counts: countsOf(outcomes), failures, details: tablesOf(outcomes) };
  },
};

/** The plans without end, or the only one to run: `--case` names backend, door and round. */
function* plansOf({ seed, only, backend, door }: Pick<Run, "seed" | "only" | "backend" | "door">): Generator<Plan> {
  const names = only?.split(" ") ?? [];
  const setting = {
    backend: backends.find((one) => names.includes(one)) ?? backend,
    door: doors.find((one) => names.includes(one)) ?? door,
  };
  for (const round of roundsOf({ only: names.at(-1) }, 1)) yield planOf(seed, round, setting);
}

/** Runs these rounds, or as many as the time allows. Each worker has a stack for each backend and door. */
export async function runRounds(run: Pick<Run, "seed" | "deadline" | "say">, plans: Iterable<Plan>, workers: number) {
  let lanes = 0;
  return runCases(run, {
    campaign: "kills",
    cases: plans,
    nameOf: ({ backend, door, round }) => `${backend} ${door} ${round}`,
    workers,
    every: 1,
    open: () => Promise.resolve(new Map<string, Lane>()),
    close: (own) =>
      Promise.all(
        [...own.values()].map(async (lane) => {
          try {
            if (lane.isCreated) await destroyAll(lane);
          } finally {
            await lane.close();
          }
        }),
      ),
    work: async (own, plan) => {
      const setting = `${plan.backend} ${plan.door}`;
      const lane = own.get(setting) ?? (await Lane.open(`${run.seed} ${(lanes += 1)}`, plan));
      own.set(setting, lane);
      return runRound(lane, plan);
    },
  });
}

function countsOf(outcomes: readonly Outcome[]): Record<string, number> {
  return {
    rounds: outcomes.length,
    interrupted: count(outcomes, ({ wasInterrupted }) => wasInterrupted),
    "next run with consent": count(outcomes, ({ plan }) => plan.consents && !plan.destroysAgain),
    "complete after one run": count(outcomes, ({ runs, problems }) => runs === 1 && problems.length === 0),
    "with Pulumi's backup of the state": count(outcomes, ({ restoredBackup }) => restoredBackup),
    ...objectCounts(outcomes),
    silent: sum(outcomes, ({ objects }) => objects.silent.length),
    "foreign objects touched": sum(outcomes, ({ touched }) => touched),
  };
}

/** What became of the objects that existed after an interruption. */
function objectCounts(outcomes: readonly Outcome[]): Record<string, number> {
  return {
    "objects in the state": sum(outcomes, ({ objects }) => objects.inState),
    "objects adopted": sum(outcomes, ({ objects }) => objects.adopted),
    "objects named": sum(outcomes, ({ objects }) => objects.named),
  };
}

function tablesOf(outcomes: readonly Outcome[]): string {
  const own = outcomes.filter(({ wasInterrupted }) => wasInterrupted);
  const byInterruption = interruptions.map((interruption) => [
    interruption,
    ...actions.map((action) => count(own, ({ plan }) => plan.interruption === interruption && plan.action === action)),
  ]);
  const bySetting = backends.flatMap((backend) =>
    doors.flatMap((door) =>
      [true, false].map((consents) => {
        const there = own.filter(
          ({ plan }) => plan.backend === backend && plan.door === door && plan.consents === consents,
        );
        return [backend, door, consents ? "yes" : "no", there.length, ...Object.values(objectCounts(there))];
      }),
    ),
  );
  const heads = ["backend", "provider", "consent", "interrupted", ...Object.keys(objectCounts([]))];
  return [table(["interrupted by", ...actions], byInterruption), table(heads, bySetting)].join("\n\n");
}

const sum = (outcomes: readonly Outcome[], of: (outcome: Outcome) => number): number =>
  outcomes.reduce((total, one) => total + of(one), 0);

const count = (outcomes: readonly Outcome[], is: (outcome: Outcome) => boolean): number => outcomes.filter(is).length;
