/**
 * The fault matrix: every fault at every request and operation of every verb of every kind, and all that people do then.
 *
 * node dist/tests/reliability/matrix.js [--kinds Role,Database] [--case <name, or its beginning>] [--sample 50]
 *   [--seed 7] [--slow] [--lanes 8] [--list]
 */
import { parseArgs } from "node:util";

import type { Campaign, Findings } from "./campaign";
import { type Case, type Clean, nameOf, run, type Verdict } from "./case";
import { casesOf, cleanRuns, isSlow, type Part } from "./cases";
import { operationFaults, requestFaults } from "./fault";
import { type Lane, onLanes, withFresh } from "./lanes";
import { sampleOf, seededRandom } from "./seeded-random";

/** A case that takes longer than this hangs, on a busy machine, too. In milliseconds. */
const patience = 300_000;

/** Which cases are run, and how. */
interface Choice extends Part {
  readonly lanes: number;
  readonly draw: () => number;
  /** How many, drawn from all; default: all. */
  readonly sample?: number | undefined;
  /** Whether those are among them that take long in real time. */
  readonly slow: boolean;
  readonly deadline: number;
  readonly say: (line: string) => void;
}

/** The matrix, and what has come of the part of it that was run. */
interface Outcome {
  readonly cleans: readonly Clean[];
  /** How many cases there are. */
  readonly all: number;
  /** How many of them differ in more than the way to go on. */
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

/** Runs cases of the matrix: first, of each moment and fault, what people do most likely. */
export async function carriedOut({ lanes, draw, sample, slow, deadline, say, ...part }: Choice): Promise<Outcome> {
  const cleans = await cleanRuns(lanes, part);
  const all = casesOf(cleans, part).filter((one) => slow || !isSlow(one));
  const mixed = sampleOf(all, sample ?? all.length, draw);
  let done = 0;
  const verdicts = await onLanes({
    lanes,
    items: [...mixed.filter(isLikely), ...mixed.filter((one) => !isLikely(one))],
    patience,
    work: async (lane, one) => {
      const verdict = told(await struckBy(lane, one), say);
      done += 1;
      if (done % 500 === 0) say(`${done} of ${mixed.length} cases`);
      return verdict;
    },
    late: (one) => told({ case: one, struck: true, shown: undefined, unclear: [], disagreements: ["it hangs"] }, say),
    deadline,
  });
  return { cleans, all: all.length, moments: all.filter(isLikely).length, verdicts };
}

/** Whether a case goes on as most people do. */
function isLikely({ clean, recovery }: Case): boolean {
  return recovery === (clean.verb.is === "delete" ? "destroy" : "up");
}

/** Runs a case; again in a new process, if the fault waits for a request that a process sends only once. */
async function struckBy(lane: Lane, one: Case): Promise<Verdict> {
  const { stage, later } = lane;
  const verdict = await run(stage, { first: stage.server, later }, one);
  return verdict.struck ? verdict : withFresh(lane, (first) => run(stage, { first, later }, one));
}

/** Says at once what has failed, with what runs it again. */
function told(verdict: Verdict, say: (line: string) => void): Verdict {
  const { case: one, shown, unclear, disagreements } = verdict;
  if (isFailed(verdict)) {
    say(`✘ ${commandFor(one)}`);
    for (const line of [...unclear, ...disagreements]) say(`    ${line}`);
    if (shown !== undefined) say(`    (the verb said: ${shown})`);
  }
  return verdict;
}

function commandFor(one: Case): string {
  return `node dist/tests/reliability/matrix.js --slow --case '${nameOf(one)}'`;
}

export function isFailed({ unclear, disagreements }: Verdict): boolean {
  return unclear.length + disagreements.length > 0;
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

function table(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

async function main(): Promise<number> {
  const { values: options } = parseArgs({
    options: {
      kinds: { type: "string" },
      case: { type: "string" },
      sample: { type: "string" },
      seed: { type: "string" },
      slow: { type: "boolean", default: false },
      lanes: { type: "string", default: "8" },
      list: { type: "boolean", default: false },
    },
  });
  const part = { kinds: options.kinds?.split(","), name: options.case };
  const lanes = Number(options.lanes);
  if (options.list) {
    for (const one of casesOf(await cleanRuns(lanes, part), part)) console.log(nameOf(one));
    return 0;
  }
  const seed = Number(options.seed ?? Math.floor(Math.random() * 2 ** 32));
  const began = performance.now();
  const outcome = await carriedOut({
    ...part,
    lanes,
    draw: seededRandom(seed),
    sample: options.sample === undefined ? undefined : Number(options.sample),
    slow: options.slow,
    deadline: Infinity,
    say: (line) => console.log(line),
  });
  const { verdicts, all } = outcome;
  console.log(`\n${tableOfVerbs(outcome)}\n\n${tableOfFaults(outcome)}\n`);
  const failed = verdicts.filter(isFailed).length;
  const missed = verdicts.filter(({ struck }) => !struck).length;
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(
    `${verdicts.length} of ${all} cases (seed ${seed}), ${failed} failed, ${missed} not struck, ${seconds} s`,
  );
  return failed > 0 ? 1 : 0;
}

if (require.main === module) void main().then((code) => (process.exitCode = code));
