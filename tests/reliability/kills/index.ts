import type { Campaign, Findings, Run } from "../campaign";
import { seededRandom } from "../seeded-random";
import { Lane } from "./lane";
import { type Plan, planOf, titleOf, verbs } from "./plan";
import { carryOut, emptied, type Outcome } from "./round";
import { ways } from "./way";

/** How many stacks there are at the same time. */
const lanes = 3;

/** Processes that come to a sudden end while they change something. */
export const kills: Campaign = {
  name: "kills",
  title: "Processes that are killed and interrupted",
  share: 7,
  carryOut: ({ seed, deadline, say }) => rounds({ seed, deadline, say, numbers: endless(), lanes }),
};

/** What rounds are run with. */
export interface RoundsOptions extends Pick<Run, "seed" | "deadline" | "say"> {
  /** The numbers of the rounds, which together with the seed determine them. */
  readonly numbers: Iterator<number>;
  readonly lanes: number;
}

/** The plan that a seed makes of the round of that number, whatever other rounds there are. */
export function planned(seed: number, round: number): Plan {
  return planOf(round, seededRandom((seed + Math.imul(round, 0x9e3779b1)) >>> 0));
}

/** Runs rounds until they or the time are over. */
export async function rounds(options: RoundsOptions): Promise<Findings> {
  const outcomes: Outcome[] = [];
  const failures: string[] = [];
  const failed = (title: string, reasons: readonly string[], round: number): void => {
    const again = `node dist/tests/reliability/kills/main.js --seed ${options.seed} --only ${round}`;
    failures.push([`${title} (${again})`, ...reasons].join("\n    "));
    options.say(`✘ ${failures.at(-1) ?? ""}`);
  };
  await Promise.all(
    Array.from({ length: options.lanes }, async (_, index) => {
      let lane: Lane | undefined;
      let last = 0;
      for (let next = options.numbers.next(); next.done !== true; next = options.numbers.next()) {
        if (performance.now() > options.deadline) break;
        last = next.value;
        const plan = planned(options.seed, last);
        const title = titleOf(plan);
        const began = performance.now();
        try {
          lane ??= await Lane.open(`${options.seed} ${index} ${last}`);
          const outcome = await carryOut(lane, plan);
          outcomes.push(outcome);
          const { wrong, struck, ups, adopted, mended } = outcome;
          const seconds = ((performance.now() - began) / 1000).toFixed(0);
          const how = [
            struck ? "" : "not struck",
            ups > 1 ? `${ups} ups` : "",
            adopted > 0 ? `${adopted} adopted` : "",
            mended ? "with Pulumi's backup of the state" : "",
          ];
          if (wrong.length === 0) {
            options.say(`✔ ${[title, ...how.filter((one) => one !== ""), `${seconds} s`].join(", ")}`);
          } else {
            failed(title, wrong, last);
            lane = await closed(lane);
          }
        } catch (error) {
          failed(title, [error instanceof Error ? error.message : String(error)], last);
          lane = await closed(lane);
        }
      }
      try {
        if (lane?.isMade === true) await emptied(lane);
        await lane?.close();
      } catch (error) {
        failed("the end of a stack", [error instanceof Error ? error.message : String(error)], last);
      }
    }),
  );
  return { counts: countsOf(outcomes), failures, details: tableOf(outcomes) };
}

/** Where something is wrong nothing else can be proven. */
async function closed(lane: Lane | undefined): Promise<Lane | undefined> {
  await lane?.close().catch(() => undefined);
  return undefined;
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
    return [way, ...verbs.map((verb) => String(own.filter(({ plan }) => plan.verb === verb).length))];
  });
  return [["struck by", ...verbs], ["---", "--:", "--:", "--:"], ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

function* endless(): Generator<number, void> {
  for (let round = 1; ; round += 1) yield round;
}
