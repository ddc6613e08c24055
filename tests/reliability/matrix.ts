/**
 * The fault matrix: every fault at every request and operation of every verb of every kind.
 *
 * node dist/tests/reliability/matrix.js [--kinds Role,Database] [--verbs create,update] [--case <name, or its beginning>]
 *   [--sample 50 --seed 7] [--slow] [--lanes 8] [--list]
 */
import { parseArgs } from "node:util";

import { samples } from "../support/samples";
import { nameOf, record, run, type Case, type Clean, type Verdict } from "./case";
import { drawsOf, sampleOf } from "./draw";
import { operationFaults, requestFaults } from "./fault";
import { onLanes, withFresh, type Lane } from "./lanes";
import { verbs } from "./subject";

const { values: options } = parseArgs({
  options: {
    kinds: { type: "string" },
    verbs: { type: "string" },
    case: { type: "string" },
    sample: { type: "string" },
    seed: { type: "string" },
    slow: { type: "boolean", default: false },
    lanes: { type: "string", default: "8" },
    list: { type: "boolean", default: false },
  },
});

/** A case that takes longer than this has come to nothing. */
const patience = options.slow ? 300_000 : 60_000;

async function main(): Promise<number> {
  const lanes = Number(options.lanes);
  const seed = Number(options.seed ?? Math.floor(Math.random() * 2 ** 32));
  const cleans = await recorded(lanes);
  const all = named(cleans.flatMap(casesOf));
  const chosen = sampleOf(all, Number(options.sample ?? all.length), drawsOf(seed));
  if (options.list) {
    for (const one of all) console.log(nameOf(one));
    return 0;
  }
  const began = performance.now();
  const verdicts = await onLanes(
    lanes,
    chosen,
    patience,
    async (lane, one) => told(await struckBy(lane, one)),
    (one) => {
      const disagreements = [`not over after ${patience / 1000} s`];
      return told({ case: one, struck: true, shown: undefined, unclear: [], disagreements });
    },
  );
  console.log(`\n${table(cleans, verdicts)}\n`);
  const failed = verdicts.filter(isFailed).length;
  const missed = verdicts.filter(({ struck }) => !struck).length;
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(
    `${chosen.length} of ${all.length} cases (seed ${seed}), ${failed} failed, ${missed} not struck, ${seconds} s`,
  );
  return failed > 0 ? 1 : 0;
}

function recorded(lanes: number): Promise<Clean[]> {
  // The name of a case begins with its kind and verb.
  const [ofKind, ofVerb] = (options.case ?? "").split("/");
  const isAsked = (list: string | undefined, name: string, inCase: string | undefined): boolean =>
    (list?.split(",").includes(name) ?? true) && (ofVerb === undefined || inCase === name);
  const asked = Object.values(samples)
    .filter(({ kind }) => isAsked(options.kinds, kind, ofKind))
    .flatMap((sample) =>
      verbs.filter((verb) => isAsked(options.verbs, verb, ofVerb)).map((verb) => ({ sample, verb })),
    );
  return onLanes(
    lanes,
    asked,
    patience,
    (lane, { sample, verb }) => withFresh(lane, (first) => record(lane.stage, first, sample, verb)),
    ({ sample: { kind }, verb }): Clean => {
      throw new Error(`${kind}/${verb} is not over after ${patience / 1000} s, without any fault`);
    },
  ).then((cleans) => cleans.filter((clean) => clean !== undefined).sort((one, other) => order(one) - order(other)));
}

function order({ sample, verb }: Clean): number {
  return Object.values(samples).indexOf(sample) * verbs.length + verbs.indexOf(verb);
}

function casesOf(clean: Clean): Case[] {
  return clean.points.flatMap((point) =>
    (point.is === "request" ? requestFaults : operationFaults)
      .filter(({ suits }) => suits?.(point) ?? true)
      .filter(({ isSlow }) => isSlow !== true || options.slow)
      .map((fault) => ({ clean, point, fault })),
  );
}

/** The case that was asked for by its name, or all whose names begin like that. */
function named(all: readonly Case[]): readonly Case[] {
  const { case: name = "" } = options;
  const exactly = all.filter((one) => nameOf(one) === name);
  return exactly.length > 0 ? exactly : all.filter((one) => nameOf(one).startsWith(name));
}

/** Runs a case; again in a new process, if the fault waits for a request that a process sends only once. */
async function struckBy(lane: Lane, one: Case): Promise<Verdict> {
  const { stage, later } = lane;
  const verdict = await run(stage, { first: stage.server, later }, one);
  return verdict.struck ? verdict : withFresh(lane, (first) => run(stage, { first, later }, one));
}

/** Says at once what has failed, with what runs it again. */
function told(verdict: Verdict): Verdict {
  const { case: one, shown, unclear, disagreements } = verdict;
  if (isFailed(verdict)) {
    console.log(`✘ node dist/tests/reliability/matrix.js --case '${nameOf(one)}'`);
    for (const one of [...unclear, ...disagreements]) console.log(`    ${one}`);
    if (shown !== undefined) console.log(`    (the verb said: ${shown})`);
  }
  return verdict;
}

function isFailed({ unclear, disagreements }: Verdict): boolean {
  return unclear.length + disagreements.length > 0;
}

function table(cleans: readonly Clean[], verdicts: readonly Verdict[]): string {
  const heads = ["kind", "verb", "requests", "operations", "cases", "passed", "disagree", "unclear", "not struck"];
  const rows = cleans.map((clean) => {
    const own = verdicts.filter(({ case: one }) => one.clean === clean);
    const failed = own.filter(isFailed);
    const disagree = failed.filter(({ disagreements }) => disagreements.length > 0).length;
    const missed = own.filter((verdict) => !verdict.struck && !isFailed(verdict)).length;
    const passed = own.length - failed.length - missed;
    const requests = clean.points.filter((point) => point.is === "request").length;
    const counts = [
      requests,
      clean.points.length - requests,
      own.length,
      passed,
      disagree,
      failed.length - disagree,
      missed,
    ];
    return [clean.sample.kind, clean.verb, ...counts.map(String)];
  });
  return [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

void main().then((code) => (process.exitCode = code));
