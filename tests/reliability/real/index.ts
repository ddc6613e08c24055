import { table } from "../../support/markdown";
import type { Campaign, Findings } from "../campaign";
import type { Case } from "../case";
import { type Choice as CaseChoice, judged } from "../case-run";
import { casesOf, cleanRuns, isSlow } from "../cases";
import { type Lane, lanes } from "../lanes";
import { sampleOf } from "../seeded-random";
import { commandFor, compared, type Comparison } from "./comparison";

/** How many cases the long run draws. */
const sampleSize = 100;
/** Enough for the ten commands of a case on a busy machine, in milliseconds. A command that hangs is killed earlier. */
const patience = 600_000;

interface Choice extends CaseChoice {
  /** How many verbs are recorded at the same time. */
  readonly recordingLanes: number;
  readonly sample: number;
  /** Whether to include the cases that take long in real time. */
  readonly slow: boolean;
  /** Which cases to run. Default: all. */
  readonly suits?: (one: Case) => boolean;
}

export const realSample: Campaign = {
  name: "real",
  title: "The real CLI agrees with the model of the engine",
  share: 5,
  carryOut: async (run): Promise<Findings> => {
    const comparisons = await drawn({ ...run, lanes: 4, recordingLanes: 4, sample: sampleSize, slow: false });
    const { failed: _, ...counts } = countsOf(comparisons);
    return {
      counts,
      failures: comparisons.filter(isFailed).map(({ case: one }) => commandFor(one)),
      details: tableOf(comparisons),
    };
  },
};

/** Draws cases of the fault matrix and runs each of them with the model and with the CLI. */
export async function drawn(choice: Choice): Promise<Comparison[]> {
  const { recordingLanes, slow, suits = () => true } = choice;
  const all = casesOf(await cleanRuns(recordingLanes, choice), choice).filter((one) => slow || !isSlow(one));
  return judged<Lane, Case, Comparison>(choice, {
    ...lanes,
    cases: sampleOf(all.filter(suits), choice.sample, choice.draw),
    patience,
    judge: compared,
    lost: (one, why) => ({ case: one, steps: 0, differences: [why], wrong: [] }),
    problemsOf,
    commandFor,
    every: 1,
  });
}

function problemsOf({ differences, wrong }: Comparison): readonly string[] {
  return [...differences, ...wrong];
}

export function isFailed(comparison: Comparison): boolean {
  return problemsOf(comparison).length > 0;
}

export function countsOf(comparisons: readonly Comparison[]): Record<string, number> {
  return {
    cases: comparisons.length,
    "steps compared": comparisons.reduce((sum, { steps }) => sum + steps, 0),
    agreed: comparisons.filter(({ differences }) => differences.length === 0).length,
    failed: comparisons.filter(isFailed).length,
  };
}

function tableOf(comparisons: readonly Comparison[]): string {
  const kinds = [...new Set(comparisons.map(({ case: one }) => one.clean.sample.kind))].sort();
  const rows = kinds.map((kind) => {
    const counts = countsOf(comparisons.filter((one) => one.case.clean.sample.kind === kind));
    return [kind, ...Object.values(counts)];
  });
  const heads = ["kind", ...Object.keys(countsOf([]))];
  return table(heads, rows);
}
