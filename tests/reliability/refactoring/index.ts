import { messageOf } from "../../../api/core/errors";
import { type Sample, titleOf } from "../../support/sample";
import { everySample } from "../../support/samples";
import { sampleOf, seededRandom } from "../../support/seeded-random";
import { Stage } from "../../support/stage";
import { type Campaign, named, type Run, runCases } from "../campaign";
import { laneOptions } from "../lanes";
import type { Row } from "./row";
import { adoption } from "./rows/adoption";
import { names } from "./rows/names";
import { options } from "./rows/options";
import { providers } from "./rows/providers";
import { stacks } from "./rows/stacks";
import { state } from "./rows/state";
import { Scene, StopError } from "./scene";

/** Something that people do to an existing program or stack. */
interface Refactoring extends Row {
  readonly title: string;
}

const refactorings: readonly Refactoring[] = [names, stacks, state, options, adoption, providers]
  .flatMap((rows) => Object.entries(rows))
  .map(([title, row]) => (typeof row === "function" ? { title, carryOut: row } : { title, ...row }));

interface Case {
  readonly sample: Sample;
  readonly refactoring: Refactoring;
}

/** Everything that people do to programs and stacks, with the real CLI. */
export const refactoring: Campaign = {
  name: "refactoring",
  title: "Refactorings of programs and stacks",
  share: 6,
  carryOut: async (run) => {
    const { ran, failures } = await runRefactorings({ ...run, workers: 2 });
    return {
      counts: {
        cases: casesOf(run).length,
        run: ran.length,
        "commands run": ran.reduce((sum, { result }) => sum + (result?.runs ?? 0), 0),
      },
      failures,
    };
  },
};

/** Every refactoring of every kind for which it makes sense. */
export function casesOf(choice: Pick<Run, "only">): readonly Case[] {
  const all = everySample.flatMap((sample) =>
    refactorings
      .filter(({ only }) => only?.(sample.facts, sample) ?? true)
      .map((one): Case => ({ sample, refactoring: one })),
  );
  return named(all, nameOf, choice);
}

export function nameOf({ sample, refactoring: { title } }: Case): string {
  return `${titleOf(sample)}/${title}`;
}

/** Runs cases in random order, beginning with one case of each refactoring and with every kind. */
export async function runRefactorings(run: Run & { readonly workers: number }) {
  return runCases(run, {
    campaign: "refactoring",
    cases: covering(casesOf(run), seededRandom(run.seed)),
    nameOf,
    workers: run.workers,
    patience: 600_000,
    every: 10,
    open: () => Stage.start({ ...laneOptions, isServed: false }),
    close: (stage) => stage.stop(),
    work: played,
  });
}

/** Runs a case and deletes what it has left. */
async function played(stage: Stage, { sample, refactoring: { carryOut } }: Case) {
  const scene = await Scene.create(stage, sample);
  try {
    await carryOut(scene);
    await scene.settle();
  } catch (error) {
    if (!(error instanceof StopError)) scene.problems.push(messageOf(error));
  } finally {
    await scene.remove();
  }
  return { runs: scene.runs, problems: scene.problems };
}

/**
 * All cases in random order, beginning with one of each refactoring: each with the sample that has come least, so that a short
 * run has every kind, too.
 */
function covering(all: readonly Case[], draw: () => number): readonly Case[] {
  const mixed = sampleOf(all, all.length, draw);
  const came = new Map<Sample, number>();
  const firsts = new Set<Case>();
  for (const refactoring of new Set(mixed.map((one) => one.refactoring))) {
    const own = mixed.filter((one) => one.refactoring === refactoring);
    const least = Math.min(...own.map(({ sample }) => came.get(sample) ?? 0));
    const first = own.find(({ sample }) => (came.get(sample) ?? 0) === least);
    if (first === undefined) continue;
    firsts.add(first);
    came.set(first.sample, least + 1);
  }
  return [...firsts, ...mixed.filter((one) => !firsts.has(one))];
}
