/**
 * The fault matrix: every fault at every request and operation of every verb of every kind, with each recovery.
 *
 * node dist/tests/reliability/matrix.js [--kinds Role,Database] [--case <name, or its beginning>] [--sample 50]
 *   [--seed 7] [--slow] [--lanes 8] [--list]
 */
import { table } from "../support/markdown";
import type { Campaign, Findings } from "./campaign";
import { type Case, type Clean, nameOf, run, type Verdict } from "./case";
import { type Choice as CaseChoice, judged, runProgram } from "./case-run";
import { casesOf, cleanRuns, isSlow } from "./cases";
import { operationFaults, requestFaults } from "./fault";
import { type Lane, lanes, withFresh } from "./lanes";
import { sampleOf } from "./seeded-random";

/** A case that takes longer hangs, on a busy machine as well. In milliseconds. */
const patience = 300_000;

interface Choice extends CaseChoice {
  /** Whether to include the cases that take long in real time. */
  readonly slow: boolean;
}

/** The matrix, and the verdicts on the cases that were run. */
interface Outcome {
  readonly cleans: readonly Clean[];
  /** How many cases there are. */
  readonly all: number;
  /** How many of them differ in more than the recovery. */
  readonly moments: number;
  readonly verdicts: readonly Verdict[];
}

export const matrix: Campaign = {
  name: "matrix",
  title: "Every fault at every request and operation",
  share: 8,
  carryOut: async (run): Promise<Findings> => {
    const outcome = await carriedOut({ ...run, lanes: 32, slow: true });
    const { verdicts, all, moments } = outcome;
    const failed = verdicts.filter(isFailed);
    const count = (is: (verdict: Verdict) => boolean): number => verdicts.filter(is).length;
    return {
      counts: {
        "faults at a moment": moments,
        "of them run": verdicts.filter(({ case: one }) => isLikely(one)).length,
        "cases with every way to go on": all,
        "of those run": verdicts.length,
        disagreements: count(({ disagreements }) => disagreements.length > 0),
        "unclear errors": count(({ unclear }) => unclear.length > 0),
        "not struck": count(({ struck }) => !struck),
      },
      failures: failed.map(({ case: one }) => commandFor(one)),
      details: `${tableOfVerbs(outcome)}\n\n${tableOfFaults(outcome)}`,
    };
  },
};

/** Runs cases of the matrix: first, for each moment and fault, the recovery that people choose most likely. */
export async function carriedOut(choice: Choice): Promise<Outcome> {
  const cleans = await cleanRuns(choice.lanes, choice);
  const all = casesOf(cleans, choice).filter((one) => choice.slow || !isSlow(one));
  const mixed = sampleOf(all, choice.sample ?? all.length, choice.draw);
  const verdicts = await judged<Lane, Case, Verdict>(choice, {
    ...lanes,
    cases: [...mixed.filter(isLikely), ...mixed.filter((one) => !isLikely(one))],
    patience,
    judge: struckBy,
    lost: (one, why) => ({ case: one, struck: true, shown: undefined, unclear: [], disagreements: [why] }),
    problemsOf,
    commandFor,
    every: 500,
  });
  return { cleans, all: all.length, moments: all.filter(isLikely).length, verdicts };
}

/** Whether a case has the recovery that most people choose. */
function isLikely({ clean, recovery }: Case): boolean {
  return recovery === (clean.verb.is === "delete" ? "destroy" : "up");
}

/** Runs a case. If the fault waits for a request that a process sends only once, runs it again in a new process. */
async function struckBy(lane: Lane, one: Case): Promise<Verdict> {
  const { stage, later } = lane;
  const verdict = await run(stage, { first: stage.server, later }, one);
  return verdict.struck ? verdict : withFresh(lane, (first) => run(stage, { first, later }, one));
}

function problemsOf({ shown, unclear, disagreements }: Verdict): readonly string[] {
  const problems = [...unclear, ...disagreements];
  return problems.length === 0 || shown === undefined ? problems : [...problems, `(the verb said: ${shown})`];
}

function commandFor(one: Case): string {
  return `node dist/tests/reliability/matrix.js --slow --case '${nameOf(one)}'`;
}

export function isFailed(verdict: Verdict): boolean {
  return problemsOf(verdict).length > 0;
}

function tableOfVerbs({ cleans, verdicts }: Outcome): string {
  const rows = cleans.map((clean) => {
    const own = verdicts.filter(({ case: one }) => one.clean === clean);
    const requests = clean.points.filter((point) => point.is === "request").length;
    return [clean.sample.kind, clean.verb.title, requests, clean.points.length - requests, ...countsOf(own)];
  });
  return table(["kind", "verb", "requests", "operations", ...countHeads], rows);
}

function tableOfFaults({ verdicts }: Outcome): string {
  const rows = [...requestFaults, ...operationFaults].map((fault) => [
    `${operationFaults.includes(fault) ? "operation: " : ""}${fault.title}`,
    ...countsOf(verdicts.filter(({ case: one }) => one.fault === fault)),
  ]);
  return table(["fault", ...countHeads], rows);
}

const countHeads = ["cases", "agree", "disagree", "unclear", "not struck"];

function countsOf(verdicts: readonly Verdict[]): number[] {
  const disagree = verdicts.filter(({ disagreements }) => disagreements.length > 0).length;
  const unclear = verdicts.filter(({ unclear }) => unclear.length > 0).length;
  const missed = verdicts.filter((verdict) => !verdict.struck && !isFailed(verdict)).length;
  return [verdicts.length, verdicts.length - disagree - missed, disagree, unclear, missed];
}

if (require.main === module) {
  void runProgram({
    lanes: 8,
    flags: ["slow"],
    list: async (choice) => casesOf(await cleanRuns(choice.lanes, choice), choice).map(nameOf),
    run: async (choice, has) => {
      const outcome = await carriedOut({ ...choice, slow: has("slow") });
      const { verdicts, all } = outcome;
      const missed = verdicts.filter(({ struck }) => !struck).length;
      const tables = `\n${tableOfVerbs(outcome)}\n\n${tableOfFaults(outcome)}\n\n`;
      return {
        summary: `${tables}${verdicts.length} of ${all} cases, ${missed} not struck`,
        failed: verdicts.filter(isFailed).length,
      };
    },
  });
}
