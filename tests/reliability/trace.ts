import { isDeepStrictEqual } from "node:util";

import { isEnded } from "../../api/operations/status";
import type { Values } from "../support/provider-server";
import type { Managed } from "../support/managed";
import type { Stage } from "../support/stage";
import { census, growth } from "./census";
import type { Subject } from "./subject";

/** The state after one step of a case. */
export type Moment = Awaited<ReturnType<typeof momentOf>>;

export type Trace = readonly Moment[];

export async function momentOf(
  { stage, project, before, resource, program }: Subject<Managed>,
  step: string,
  ended: "well" | "badly",
) {
  if (project !== undefined) await calm(stage, project);
  const { state, did, replaced, isPendingReplacement } = resource;
  const sound = state?.failed.length === 0 ? "sound" : "failed half-way";
  return {
    step,
    ended,
    did,
    inState: state === undefined ? "no" : isPendingReplacement ? "deleted, to be replaced" : sound,
    hasId: (state?.id ?? "") !== "",
    /** Whether its outputs contain an unfinished step. */
    isPending: (state?.outputs["__neon"] as Values | undefined)?.["pending"] !== undefined,
    /** The visible inputs in the state that differ from the program. */
    otherInputs: state === undefined ? [] : differing(state.inputs, program),
    outputs: Object.keys(state?.outputs ?? {}).sort(),
    /** How many replaced objects are still to be deleted. */
    replaced: replaced.length,
    grown: growth(before, await census(stage, project)),
  };
}

/** Waits until no operation of a project is running, but not for an operation that never ends. */
async function calm({ platform }: Stage, project: string): Promise<void> {
  for (let looks = 0; looks < 50; looks += 1) {
    const { body } = await platform.call("GET", `/projects/${project}/operations?limit=200`);
    if (body.operations.every(({ status }) => isEnded(status))) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function differing(inputs: Values, program: Values): string[] {
  const names = new Set([...Object.keys(inputs), ...Object.keys(program)]);
  return [...names].filter((name) => !name.startsWith("__") && !isDeepStrictEqual(inputs[name], program[name])).sort();
}

/** The first step of a case in which two engines differ. */
export function* differencesOf(model: Trace, real: Trace): Generator<string> {
  for (let index = 0; index < Math.max(model.length, real.length); index += 1) {
    const [expected, actual] = [model[index], real[index]];
    if (isDeepStrictEqual(expected, actual)) continue;
    const names = Object.keys(expected ?? actual ?? {}) as (keyof Moment)[];
    for (const name of names.filter((one) => !isDeepStrictEqual(expected?.[one], actual?.[one]))) {
      yield `${(expected ?? actual)?.step}: ${name} is ${textOf(expected?.[name])} in the model, ${textOf(actual?.[name])} with the CLI`;
    }
    // The later differences follow from it.
    return;
  }
}

function textOf(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
