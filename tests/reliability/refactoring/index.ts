import type { Campaign, Findings } from "../campaign";
import { sampleOf } from "../seeded-random";
import { type Case, casesOf, nameOf, type Part } from "./cases";
import { refactorings } from "./refactorings";
import { onStages } from "./stages";
import { type Engines, modelled, played, real, type Verdict } from "./verdict";

/** A case that takes longer than this has come to nothing, in milliseconds. */
const patience = 600_000;

/** How much of the time is for the model of the engine; the rest is for the real one. */
const modelledShare = 0.7;

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
  share: 6,
  carryOut: async (run): Promise<Findings> => {
    const now = performance.now();
    const middle = now + (run.deadline - now) * modelledShare;
    const model = await playedCases({ ...run, lanes: 4, deadline: middle }, modelled);
    const cli = await playedCases({ ...run, lanes: 2, sample: refactorings.length }, real);
    const commands = [...model.verdicts, ...cli.verdicts].reduce((sum, { runs }) => sum + runs, 0);
    return {
      counts: {
        refactorings: refactorings.length,
        "cases with the model of the engine": model.all,
        "of them run": model.verdicts.length,
        "cases with the real CLI": cli.verdicts.length,
        "commands run": commands,
      },
      failures: [...failures(model, modelled), ...failures(cli, real)],
      details: table(model.verdicts, cli.verdicts),
    };
  },
};

function failures({ verdicts }: Outcome, engines: Engines): readonly string[] {
  return verdicts.filter(isFailed).map(({ case: one }) => commandFor(one, engines));
}

/** Plays cases, in an order that the draws determine: first each refactoring once. */
export async function playedCases(choice: Choice, engines: Engines): Promise<Outcome> {
  const { lanes, draw, sample, deadline, say, ...part } = choice;
  const all = casesOf(part).filter(engines.suits);
  let done = 0;
  const verdicts = await onStages({
    stages: lanes,
    items: covering(all, draw).slice(0, sample ?? all.length),
    patience,
    work: async (stage, one) => {
      const verdict = await played(stage, one, engines).catch((error: unknown) => lost(one, String(error)));
      done += 1;
      if (done % 100 === 0) say(`${done} of ${sample ?? all.length} cases`);
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

/** All of these, mixed, those first that are the first of their refactoring. */
export function covering(all: readonly Case[], draw: () => number): readonly Case[] {
  const mixed = sampleOf(all, all.length, draw);
  const firsts = new Set(new Map([...mixed].reverse().map((one) => [one.refactoring, one])).values());
  return [...mixed.filter((one) => firsts.has(one)), ...mixed.filter((one) => !firsts.has(one))];
}

/** How many cases of each refactoring were played, and how many of them failed. */
export function table(...engines: readonly (readonly Verdict[])[]): string {
  const rows = refactorings.map(({ title }) => [
    title,
    ...engines.flatMap((verdicts) => {
      const own = verdicts.filter(({ case: one }) => one.refactoring.title === title);
      return [own.length, own.filter(isFailed).length];
    }),
  ]);
  const heads = ["refactoring", ...["kinds", "failed", "kinds with the CLI", "failed"].slice(0, engines.length * 2)];
  return [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
