import type { Managed } from "../../support/managed";
import { Stack } from "../../support/stack";
import { strike, type Case, type Verdict } from "../case";
import { type Lane, type NextRun, stackConfig, withFresh, withNextRuns } from "../lanes";
import { ledUp, type Subject } from "../subject";
import { differencesOf, type Moment, type Trace } from "../trace";
import { RealResource } from "./resource";

/** A case with one of the engines: its verdict and its steps. */
interface Told {
  readonly verdict: Verdict;
  readonly trace: Trace;
}

/** The results of a case with the model of the engine and with the real one. */
export type Comparison = Awaited<ReturnType<typeof compared>>;

/** Runs a case with the model of the engine, then with the real one, on the same platform. */
export async function compared(lane: Lane, one: Case) {
  const model = await withModel(lane, one);
  const real = await withCli(lane, one);
  const { verdict, trace } = real;
  const differences = [...differencesOf(model.trace, trace), ...differentVerdicts(model.verdict, verdict)];
  const problems = [...differences, ...verdict.problems, ...(verdict.struck ? [] : ["the fault has not struck"])];
  return { steps: trace.length, differences, problems };
}

/** A new process meets the fault, as with the CLI, where each command is a new process. */
function withModel(lane: Lane, one: Case): Promise<Told> {
  const { sample, verb } = one.clean;
  return withFresh(lane.stage, async (first) => {
    const resource = lane.stage.resource(sample.kind);
    const subject = await ledUp(lane.stage, sample, verb, resource, true);
    resource.server = first;
    return withNextRuns(lane, resource, (next) => told(subject, one, next));
  });
}

async function withCli({ stage }: Lane, one: Case): Promise<Told> {
  const { sample, verb } = one.clean;
  const stack = await Stack.create({
    platform: stage.platform,
    program: "",
    config: stackConfig,
    // Without it, the CLI does not accept `--event-log`.
    environment: { PULUMI_DEBUG_COMMANDS: "true" },
  });
  try {
    const resource = new RealResource(stack, sample.kind, stage.name(sample.kind.toLowerCase()));
    const subject = await ledUp(stage, sample, verb, resource, true);
    return await told(subject, one, (consents) => {
      stack.environment["NEON_ADOPT"] = String(consents);
      return Promise.resolve();
    });
  } finally {
    await stack.remove();
  }
}

async function told(subject: Subject<Managed>, one: Case, next: NextRun): Promise<Told> {
  const trace: Moment[] = [];
  const verdict = await strike(subject, one, { next, noted: (moment) => trace.push(moment) });
  return { verdict, trace };
}

function* differentVerdicts(model: Verdict, real: Verdict): Generator<string> {
  if (model.struck !== real.struck) yield `the fault strikes ${model.struck ? "the model" : "the CLI"} only`;
  for (const list of ["unclear", "disagreements"] as const) {
    const [expected, actual] = [model[list], real[list]];
    if (expected.length === actual.length) continue;
    yield `${list}: ${expected.length} in the model, ${actual.length} with the CLI`;
    for (const found of expected) yield `in the model: ${found}`;
  }
}
