import type { Campaign, Findings } from "../campaign";
import { sampleOf } from "../draw";
import { casesOf, nameOf, type Case, type Part } from "./cases";
import { onStages } from "./stages";
import { refactorings } from "./refactorings";
import { modelled, played, type Engines, type Verdict } from "./verdict";

/** A case that takes longer than this has come to nothing, in milliseconds. */
const patience = 600_000;

/** Which cases are played, and how. */
export interface Choice extends Part {
  readonly lanes: number;
  readonly draw: () => number;
  /** How many, drawn from all; default: all. */
  readonly sample?: number | undefined;
  readonly deadline: number;
  readonly say: (line: string) => void;
}

/** The cases there are, and what has come of those that were played. */
export interface Outcome {
  readonly all: number;
  readonly verdicts: readonly Verdict[];
}

export const refactoring: Campaign = {
  name: "refactoring",
  title: "Every refactoring of programs and stacks",
  share: 4,
  carryOut: async (run): Promise<Findings> => {
    const { verdicts, all } = await playedCases({ ...run, lanes: 4 }, modelled);
    const failed = verdicts.filter(isFailed);
    return {
      counts: {
        refactorings: refactorings.length,
        cases: all,
        "of those run": verdicts.length,
        "commands run": verdicts.reduce((sum, { runs }) => sum + runs, 0),
      },
      failures: failed.map(({ case: one }) => commandFor(one, modelled)),
      details: table(verdicts),
    };
  },
};

/** Plays cases, in an order that the draws determine. */
export async function playedCases(choice: Choice, engines: Engines): Promise<Outcome> {
  const { lanes, draw, sample, deadline, say, ...part } = choice;
  const all = casesOf(part).filter(engines.suits);
  const verdicts = await onStages({
    stages: lanes,
    items: sampleOf(all, sample ?? all.length, draw),
    patience,
    work: async (stage, one) => {
      const verdict = await played(stage, one, engines).catch((error: unknown) => lost(one, String(error)));
      return told(verdict, engines, say);
    },
    late: (one) => told(lost(one, "it hangs"), engines, say),
    deadline,
  });
  return { all: all.length, verdicts };
}

export function isFailed({ problems }: Verdict): boolean {
  return problems.length > 0;
}

function lost(one: Case, why: string): Verdict {
  return { case: one, runs: 0, problems: [why] };
}

/** Says at once what has failed, with what runs it again. */
function told(verdict: Verdict, engines: Engines, say: (line: string) => void): Verdict {
  if (!isFailed(verdict)) return verdict;
  say(`✘ ${commandFor(verdict.case, engines)}`);
  for (const problem of verdict.problems) say(`    ${problem}`);
  return verdict;
}

function commandFor(one: Case, { flags }: Engines): string {
  return `node dist/tests/reliability/refactoring/main.js ${flags}--case '${nameOf(one).replaceAll("'", "'\\''")}'`;
}

/** How many cases of each refactoring were played, and how many of them failed. */
export function table(verdicts: readonly Verdict[]): string {
  const rows = refactorings.flatMap(({ title }) => {
    const own = verdicts.filter(({ case: one }) => one.refactoring.title === title);
    return own.length === 0 ? [] : [[title, own.length, own.filter(isFailed).length]];
  });
  const heads = ["refactoring", "kinds", "failed"];
  return [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
