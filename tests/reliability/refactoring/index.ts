import { messageOf } from "../../../api/core/errors";
import { table } from "../../support/markdown";
import { Folders, type Place } from "../../support/place";
import { type Sample, titleOf } from "../../support/sample";
import { everySample } from "../../support/samples";
import { sampleOf, seededRandom } from "../../support/seeded-random";
import { Stage } from "../../support/stage";
import { type Campaign, named, type Ran, type Run, runCases } from "../campaign";
import { laneOptions, stackConfig } from "../lanes";
import type { Engine } from "./engine";
import { ModelStack } from "./model";
import { RealStack } from "./real";
import type { Refactoring, Rows } from "./refactoring";
import { adoption } from "./rows/adoption";
import { names } from "./rows/names";
import { options } from "./rows/options";
import { providers } from "./rows/providers";
import { stacks } from "./rows/stacks";
import { state } from "./rows/state";
import { Scene, StopError } from "./scene";

const rows: readonly Rows[] = [names, stacks, state, options, adoption, providers];

/** Everything that people do to programs and stacks. */
export const refactorings: readonly Refactoring[] = rows
  .flatMap((some) => Object.entries(some))
  .map(([title, row]) => (typeof row === "function" ? { title, carryOut: row } : { title, ...row }));

export interface Case {
  readonly sample: Sample;
  readonly refactoring: Refactoring;
}

/** What runs the stacks: the model of the engine, or the real CLI. */
interface Engines {
  readonly folders: () => Promise<Folders>;
  readonly stack: (place: Place, config: Readonly<Record<string, string>>) => Promise<Engine>;
  readonly suits: (refactoring: Refactoring) => boolean;
}

const engines = {
  model: {
    folders: () => Promise.resolve(Folders.linked()),
    stack: (place, config) => Promise.resolve(new ModelStack(place, config)),
    suits: ({ cliOnly }) => cliOnly === undefined,
  },
  CLI: {
    folders: () => Folders.installed(),
    stack: (place, config) => RealStack.create(place, config),
    suits: ({ modelOnly }) => modelOnly === undefined,
  },
} satisfies Readonly<Record<string, Engines>>;
type EngineName = keyof typeof engines;

/** The share of the time for the model of the engine; the rest is for the real CLI. */
const modelledShare = 0.7;

export const refactoring: Campaign = {
  name: "refactoring",
  title: "Refactorings of programs and stacks",
  share: 6,
  carryOut: async (run) => {
    const now = performance.now();
    const middle = now + (run.deadline - now) * modelledShare;
    const model = await runRefactorings("model", { ...run, workers: 4, deadline: middle });
    const cli = await runRefactorings("CLI", { ...run, workers: 2, sample: refactorings.length });
    return {
      counts: {
        refactorings: refactorings.length,
        "cases with the model of the engine": casesOf("model", run).length,
        "run with the model": model.ran.length,
        "cases with the real CLI": casesOf("CLI", run).length,
        "run with the CLI": cli.ran.length,
        "commands run": [...model.ran, ...cli.ran].reduce((sum, { result }) => sum + (result?.runs ?? 0), 0),
      },
      failures: [...model.failures, ...cli.failures],
      details: tablesOf(model.ran, cli.ran),
    };
  },
};

interface Choice extends Run {
  readonly workers: number;
  /** How many cases are drawn. Default: all. */
  readonly sample?: number;
}

/** Every refactoring of every kind for which it makes sense, by names that begin with the engine. */
export function casesOf(engine: EngineName, choice: Pick<Run, "only">): readonly Case[] {
  const all = everySample.flatMap((sample) =>
    refactorings
      .filter((one) => engines[engine].suits(one) && (one.only?.(sample.facts, sample) ?? true))
      .map((one): Case => ({ sample, refactoring: one })),
  );
  return named(all, nameIn(engine), choice);
}

export function nameIn(engine: EngineName): (one: Case) => string {
  return ({ sample, refactoring: { title } }) => `${engine}/${titleOf(sample)}/${title}`;
}

/** Runs cases in random order, beginning with one case of each refactoring and with every kind. */
export async function runRefactorings(engine: EngineName, choice: Choice) {
  const all = casesOf(engine, choice);
  return runCases(choice, {
    campaign: "refactoring",
    cases: covering(all, seededRandom(choice.seed)).slice(0, choice.sample ?? all.length),
    nameOf: nameIn(engine),
    workers: choice.workers,
    patience: 600_000,
    every: 100,
    // The cases start their provider processes themselves.
    open: () => Stage.start({ ...laneOptions, isServed: false }),
    close: (stage) => stage.stop(),
    work: (stage, one) => played(stage, one, engines[engine]),
  });
}

/** Runs a case and deletes what it has left. */
async function played(stage: Stage, { sample, refactoring: { carryOut } }: Case, engine: Engines) {
  const config = { ...stackConfig, "neon:apiUrl": stage.platform.apiUrl };
  const folders = await engine.folders();
  const scene = await Scene.create({ stage, sample, folders, engine: (place) => engine.stack(place, config) });
  try {
    await carryOut(scene);
    await scene.settle();
  } catch (error) {
    if (!(error instanceof StopError)) scene.problem(messageOf(error));
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

/** How many cases of each refactoring, and of each kind, were run with each engine, and how many of them have failed. */
function tablesOf(...byEngine: readonly (readonly Ran<Case, unknown>[])[]): string {
  const counted = (of: (one: Case) => boolean): readonly number[] =>
    byEngine.flatMap((ran) => {
      const own = ran.filter((each) => of(each.case));
      return [own.length, own.filter(({ problems }) => problems.length > 0).length];
    });
  const heads = ["cases with the model", "failed", "cases with the CLI", "failed"];
  const byRefactoring = refactorings.map((one) => [one.title, ...counted(({ refactoring }) => refactoring === one)]);
  const byKind = everySample.map((one) => [titleOf(one), ...counted(({ sample }) => sample === one)]);
  return [table(["refactoring", ...heads], byRefactoring), table(["kind", ...heads], byKind)].join("\n\n");
}
