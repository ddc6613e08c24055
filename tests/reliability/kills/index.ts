import { messageOf } from "../../../api/errors";
import { table } from "../../support/markdown";
import type { Campaign, Findings, Run } from "../campaign";
import { numbersFrom, roundRandom } from "../seeded-random";
import { Lane } from "./lane";
import { type Plan, planOf, titleOf, verbs } from "./plan";
import { carryOut, emptied, type Outcome } from "./round";
import { ways } from "./way";

/** How many stacks there are at the same time. */
const mostLanes = 3;

/** Processes that are killed and interrupted while they change something. */
export const kills: Campaign = {
  name: "kills",
  title: "Killed and interrupted runs",
  share: 7,
  carryOut: ({ only, ...run }) => {
    const numbers = only?.values() ?? numbersFrom(1);
    return rounds({ ...run, numbers, lanes: Math.min(mostLanes, only?.length ?? mostLanes) });
  },
};

/** The options of the rounds. */
export interface RoundsOptions extends Pick<Run, "seed" | "deadline" | "say"> {
  /** The numbers of the rounds, which together with the seed determine them. */
  readonly numbers: Iterable<number>;
  readonly lanes: number;
}

/** The plan of the round of this number. */
export function planned(seed: number, round: number): Plan {
  return planOf(round, roundRandom(seed, round));
}

/** Runs all rounds, or as many as the time allows. */
export async function rounds({ seed, deadline, say, numbers, lanes }: RoundsOptions): Promise<Findings> {
  const outcomes: Outcome[] = [];
  const failures: string[] = [];
  const fail = (title: string, reasons: readonly string[], round: number): void => {
    const again = `node dist/tests/reliability/kills/main.js --seed ${seed} --only ${round}`;
    const failure = [`${title} (${again})`, ...reasons].join("\n    ");
    failures.push(failure);
    say(`✘ ${failure}`);
  };
  await Promise.all(
    Array.from({ length: lanes }, async (_, index) => {
      let lane: Lane | undefined;
      let last = 0;
      for (const round of numbers) {
        if (performance.now() > deadline) break;
        last = round;
        const plan = planned(seed, round);
        const began = performance.now();
        const wrong: string[] = [];
        try {
          lane ??= await Lane.open(`${seed} ${index} ${round}`);
          const outcome = await carryOut(lane, plan);
          outcomes.push(outcome);
          wrong.push(...outcome.wrong);
          const seconds = ((performance.now() - began) / 1000).toFixed(0);
          if (wrong.length === 0) say(`✔ ${titleOf(plan)}${notesOn(outcome)}, ${seconds} s`);
        } catch (error) {
          wrong.push(messageOf(error));
        }
        if (wrong.length === 0) continue;
        fail(titleOf(plan), wrong, round);
        // After a failure, nothing else can be proven with this stack.
        await lane?.close().catch(() => undefined);
        lane = undefined;
      }
      try {
        if (lane?.isMade === true) await emptied(lane);
        await lane?.close();
      } catch (error) {
        fail("the end of a stack", [messageOf(error)], last);
      }
    }),
  );
  return { counts: countsOf(outcomes), failures, details: tableOf(outcomes) };
}

function notesOn({ struck, ups, adopted, mended }: Outcome): string {
  return [
    struck ? "" : ", not struck",
    ups > 1 ? `, ${ups} ups` : "",
    adopted > 0 ? `, ${adopted} adopted` : "",
    mended ? ", with Pulumi's backup of the state" : "",
  ].join("");
}

function countsOf(outcomes: readonly Outcome[]): Record<string, number> {
  const sum = (of: (outcome: Outcome) => number): number => outcomes.reduce((total, one) => total + of(one), 0);
  return {
    rounds: outcomes.length,
    struck: sum(({ struck }) => (struck ? 1 : 0)),
    "healed by one up": sum(({ ups, wrong }) => (ups === 1 && wrong.length === 0 ? 1 : 0)),
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
