import { Stack } from "../../support/stack";
import { strike, type Case, type Verdict } from "../case";
import { stackConfig, withFresh, type Lane } from "../lanes";
import { ledUp } from "../subject";
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
function withModel({ stage, later }: Lane, one: Case): Promise<Told> {
  const { sample, verb } = one.clean;
  return withFresh(stage, async (first) => {
    const resource = stage.resource(sample.kind);
    const subject = await ledUp(stage, sample, verb, resource, true);
    resource.server = first;
    const trace: Moment[] = [];
    const over = (): void => void (resource.server = later);
    const verdict = await strike(subject, one, { over, noted: (moment) => trace.push(moment) });
    return { verdict, trace };
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
    const trace: Moment[] = [];
    const verdict = await strike(subject, one, { noted: (moment) => trace.push(moment) });
    return { verdict, trace };
  } finally {
    await stack.remove();
  }
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
