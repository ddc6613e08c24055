import { doors } from "../../support/door";
import { type Campaign, type Run, runCases } from "../campaign";
import { Lane } from "./lane";
import { backends, type Plan, planOf } from "./plan";
import { destroyAll, type Outcome, runRound } from "./round";

/** Processes that are killed and interrupted while they change something. */
export const kills: Campaign = {
  name: "kills",
  title: "Killed and interrupted runs",
  share: 7,
  carryOut: async (run) => {
    const { ran, failures } = await runRounds(run, plansOf(run), run.only === undefined ? 3 : 1);
    const outcomes = ran.flatMap(({ result }) => result ?? []);
    return { counts: countsOf(outcomes), failures };
  },
};

/** The plans without end, or the only one to run: `--case` names backend, door and round. */
function* plansOf({ seed, only, backend, door }: Pick<Run, "seed" | "only" | "backend" | "door">): Generator<Plan> {
  const names = only?.split(" ") ?? [];
  const setting = {
    backend: backends.find((one) => names.includes(one)) ?? backend,
    door: doors.find((one) => names.includes(one)) ?? door,
  };
  if (only !== undefined) yield planOf(seed, Number(names.at(-1)), setting);
  else for (let round = 1; ; round += 1) yield planOf(seed, round, setting);
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
  const count = (is: (outcome: Outcome) => boolean): number => outcomes.filter(is).length;
  const sum = (of: (outcome: Outcome) => number): number => outcomes.reduce((total, one) => total + of(one), 0);
  return {
    rounds: outcomes.length,
    interrupted: count(({ wasInterrupted }) => wasInterrupted),
    "next run with consent": count(({ plan }) => plan.consents && !plan.destroysAgain),
    "complete after one run": count(({ runs, problems }) => runs === 1 && problems.length === 0),
    "objects in the state": sum(({ objects }) => objects.inState),
    "objects adopted": sum(({ objects }) => objects.adopted),
    "objects named": sum(({ objects }) => objects.named),
    silent: sum(({ objects }) => objects.silent.length),
    "foreign objects touched": sum(({ touched }) => touched),
  };
}
