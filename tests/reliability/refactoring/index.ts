import { Stage } from "../../support/stage";
import { table } from "../../support/markdown";
import type { Campaign, Findings } from "../campaign";
import { type Choice, judged } from "../case-run";
import { laneOptions } from "../lanes";
import { sampleOf } from "../seeded-random";
import { type Case, casesOf, nameOf } from "./cases";
import { refactorings } from "./refactorings";
import { type Engines, modelled, played, real, type Verdict } from "./verdict";

/** A case that takes longer than this hangs. In milliseconds. */
const patience = 600_000;

/** The share of the time for the model of the engine; the rest is for the real CLI. */
const modelledShare = 0.7;

/** How many cases there are, and the verdicts on those that were run. */
export interface Outcome {
  readonly all: number;
  readonly verdicts: readonly Verdict[];
}

export const refactoring: Campaign = {
  name: "refactoring",
  title: "Refactorings of programs and stacks",
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
      details: tableOf(model.verdicts, cli.verdicts),
    };
  },
};

function failures({ verdicts }: Outcome, engines: Engines): readonly string[] {
  return verdicts.filter(isFailed).map(({ case: one }) => commandFor(one, engines));
}

/** Runs cases in random order, beginning with one case of each refactoring. */
export async function playedCases(choice: Choice, engines: Engines): Promise<Outcome> {
  const all = casesOf(choice).filter(engines.suits);
  const verdicts = await judged<Stage, Case, Verdict>(choice, {
    // The cases start their provider processes themselves.
    open: () => Stage.withoutServer(laneOptions),
    close: (stage) => stage.strike(),
    cases: covering(all, choice.draw).slice(0, choice.sample ?? all.length),
    patience,
    judge: (stage, one) => played(stage, one, engines),
    lost: (one, why) => ({ case: one, runs: 0, problems: [why] }),
    problemsOf: ({ problems }) => problems,
    commandFor: (one) => commandFor(one, engines),
    every: 100,
  });
  return { all: all.length, verdicts };
}

export function isFailed({ problems }: Verdict): boolean {
  return problems.length > 0;
}

function commandFor(one: Case, { flags }: Engines): string {
  return `node dist/tests/reliability/refactoring/main.js ${flags}--case '${nameOf(one).replaceAll("'", "'\\''")}'`;
}

/** All cases in random order, beginning with the first one of each refactoring. */
export function covering(all: readonly Case[], draw: () => number): readonly Case[] {
  const mixed = sampleOf(all, all.length, draw);
  const firsts = new Set(new Map([...mixed].reverse().map((one) => [one.refactoring, one])).values());
  return [...mixed.filter((one) => firsts.has(one)), ...mixed.filter((one) => !firsts.has(one))];
}

/** How many cases of each refactoring were run, and how many of them have failed. */
export function tableOf(...engines: readonly (readonly Verdict[])[]): string {
  const rows = refactorings.map(({ title }) => [
    title,
    ...engines.flatMap((verdicts) => {
      const own = verdicts.filter(({ case: one }) => one.refactoring.title === title);
      return [own.length, own.filter(isFailed).length];
    }),
  ]);
  const heads = ["refactoring", ...["kinds", "failed", "kinds with the CLI", "failed"].slice(0, engines.length * 2)];
  return table(heads, rows);
}
