import { parseArgs } from "node:util";

import type { Run } from "./campaign";
import { inParallel, type Work } from "./parallel";
import { randomSeed, seededRandom } from "./seeded-random";

/** Some of the cases. Default: all. */
export interface Part {
  readonly kinds?: readonly string[] | undefined;
  /** The name of a case, or how it begins. */
  readonly name?: string | undefined;
}

/** Which cases are run, and how. */
export interface Choice extends Part, Pick<Run, "draw" | "deadline" | "say"> {
  /** How many cases run at the same time. */
  readonly lanes: number;
  /** How many cases are drawn. Default: all. */
  readonly sample?: number | undefined;
}

/** The case of this name, or else all cases whose names begin with it. */
export function named<Case>(
  cases: readonly Case[],
  nameOf: (one: Case) => string,
  { name = "" }: Part,
): readonly Case[] {
  const exactly = cases.filter((one) => nameOf(one) === name);
  return exactly.length > 0 ? exactly : cases.filter((one) => nameOf(one).startsWith(name));
}

/** How cases are run and judged. */
interface Judging<Worker, Case, Verdict> extends Pick<Work<Worker, Case, Verdict>, "open" | "close" | "patience"> {
  readonly cases: readonly Case[];
  readonly judge: (worker: Worker, one: Case) => Promise<Verdict>;
  /** The verdict on a case that could not be judged. */
  readonly lost: (one: Case, why: string) => Verdict;
  /** What is wrong; empty for a case that has passed. */
  readonly problemsOf: (verdict: Verdict) => readonly string[];
  /** The command that repeats a case alone. */
  readonly commandFor: (one: Case) => string;
  /** After how many cases to report the progress. */
  readonly every: number;
}

/** Runs cases, and reports each failure at once with the command that repeats it. */
export async function judged<Worker, Case, Verdict>(
  { lanes, deadline, say }: Choice,
  { cases, judge, lost, problemsOf, commandFor, every, ...workers }: Judging<Worker, Case, Verdict>,
): Promise<Verdict[]> {
  let done = 0;
  const reported = (one: Case, verdict: Verdict): Verdict => {
    const problems = problemsOf(verdict);
    if (problems.length > 0) say(`✘ ${commandFor(one)}`);
    for (const problem of problems) say(`    ${problem}`);
    done += 1;
    if (done % every === 0) say(`${done} of ${cases.length} cases`);
    return verdict;
  };
  return inParallel({
    ...workers,
    workers: lanes,
    items: cases,
    deadline,
    work: async (worker, one) =>
      reported(one, await judge(worker, one).catch((error: unknown) => lost(one, String(error)))),
    late: (one) => reported(one, lost(one, "it hangs")),
  });
}

/** A program that runs cases. */
interface Program {
  /** The defaults of its options. */
  readonly lanes: number;
  readonly sample?: number;
  /** The names of the cases. */
  readonly list: (choice: Choice) => Promise<readonly string[]> | readonly string[];
  /** @returns what to print, and how many cases have failed */
  readonly run: (choice: Choice, has: (flag: string) => boolean) => Promise<{ summary: string; failed: number }>;
  readonly flags?: readonly string[];
}

/**
 * Runs cases as the command line says: `[--kinds Role,Database] [--case <name or its beginning>] [--sample 50] [--seed 7]
 * [--lanes 8] [--list]`, and the flags of the program.
 */
export async function runProgram({ lanes, sample, list, run, flags = [] }: Program): Promise<void> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    options: {
      ...{ kinds: text, case: text, sample: text, seed: text, lanes: text },
      ...Object.fromEntries(["list", ...flags].map((flag) => [flag, { type: "boolean" } as const])),
    },
  });
  const seed = Number(values.seed ?? randomSeed());
  const choice: Choice = {
    kinds: values.kinds?.split(","),
    name: values.case,
    lanes: Number(values.lanes ?? lanes),
    sample: values.sample === undefined ? sample : Number(values.sample),
    draw: seededRandom(seed),
    deadline: Infinity,
    say: (line) => console.log(line),
  };
  const has = (flag: string): boolean => (values as Record<string, unknown>)[flag] === true;
  if (has("list")) {
    for (const name of await list(choice)) console.log(name);
    return;
  }
  const began = performance.now();
  const { summary, failed } = await run(choice, has);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`${summary}, ${failed} failed (seed ${seed}), ${seconds} s`);
  process.exitCode = failed > 0 ? 1 : 0;
}
