import { isDeepStrictEqual } from "node:util";

import { milliseconds } from "../../api/duration";
import { plain, refusedChanges, shapeProblems, unsetProblems } from "../kind/field-rules";
import type { AnyKind, Problem } from "../kind/kind";
import { unknownValue, type Values } from "../kind/values";
import { previewAdoption } from "./adoption-preview";
import { platformProblems } from "./platform-problems";
import type { KindRuntime } from "./runtime";
import { type HiddenInputs, hiddenInputsOf, hiddenKey, type Timeouts, withoutHidden } from "./state";

interface Checked {
  readonly inputs: Values;
  readonly problems: readonly Problem[];
}

/**
 * Validates inputs and fills in the default name. Returns the inputs as the engine is to store them.
 *
 * A preview calls no other method for a new resource. So this asks the platform what is wrong with a new or changed one:
 * it is the only place where that can show before `up`. For a resource that has not changed, it sends nothing.
 */
export async function check(runtime: KindRuntime, before: Values | undefined, given: Values): Promise<Checked> {
  const { kind, services } = runtime;
  const declared = hiddenInputsOf(given);
  const facts = services.program.take(declared);
  services.registry.declare(declared.urn);
  const inputs = withoutHidden(given);
  const named = withName(kind, inputs, facts, before);
  const problems = ownProblems(runtime, before, named.inputs, declared.timeouts);
  // Without a name that was looked for: one that is not known yet would be an error of its own, and hide the problems.
  const rejected = (reasons: readonly Problem[]): Checked => ({ inputs: given, problems: reasons });
  if (problems.length > 0) return rejected(problems);
  if (isUnchanged(before, named.inputs)) return accepted(named);
  const ofPlatform = await platformProblems(runtime, declared.urn, before, named.inputs);
  if (ofPlatform.length > 0) return rejected(ofPlatform);
  if (before !== undefined) return accepted(named);
  const { problems: obstacles, name, warning } = await previewAdoption(runtime, declared.urn, named.inputs);
  if (warning !== undefined) services.warn(declared.urn, warning);
  if (obstacles.length > 0) return rejected(obstacles);
  return accepted(name === undefined ? named : withName(kind, inputs, facts, before, name));
}

/** Whether the program declares what it declared before. `adopt` has no effect on an existing resource. */
function isUnchanged(before: Values | undefined, inputs: Values): boolean {
  if (before === undefined) return false;
  const [then, now] = [withoutHidden(before), inputs].map(({ adopt: _, ...others }) => plain(others));
  return isDeepStrictEqual(then, now);
}

function accepted({ inputs, hidden }: Named): Checked {
  return { inputs: { ...inputs, [hiddenKey]: hidden }, problems: [] };
}

/** What is wrong with the inputs and the settings by themselves. */
function ownProblems(
  { kind, services }: KindRuntime,
  before: Values | undefined,
  inputs: Values,
  timeouts: Timeouts | undefined,
): readonly Problem[] {
  const account = services.account();
  return [
    ...("problems" in account ? account.problems : []),
    ...timeoutProblems(timeouts),
    ...shapeProblems(kind.inputs, inputs),
    ...(before === undefined && "settings" in account ? unsetProblems(kind.rules, inputs, account.settings) : []),
    ...(before === undefined ? [] : refusedChanges(kind.rules, withoutHidden(before), inputs)),
  ];
}

interface Named {
  readonly inputs: Values;
  readonly hidden: HiddenInputs;
}

/**
 * Inputs with the default name: that of the adopted object, or else the logical name. A resource that is renamed in the
 * program with an alias keeps the default name it was created with: renaming must not change the object.
 *
 * @param adopted the name of the object that `adopt` names by its id. Default: not known, unless it is that id.
 */
export function withName(
  { defaultName, adoptedName }: AnyKind,
  inputs: Values,
  hidden: HiddenInputs,
  before: Values | undefined,
  adopted: unknown = adoptedName?.(inputs) ?? (isById(inputs["adopt"]) ? unknownValue : undefined),
): Named {
  if (defaultName === undefined) return { inputs, hidden };
  const declared = inputs[defaultName];
  // Kept even while the program declares a name: a change of the hidden inputs would show up in `--diff`.
  const chosen = before === undefined ? undefined : hiddenInputsOf(before).name;
  const hasNone = adopted === null || (before !== undefined && before[defaultName] === undefined);
  const name = chosen ?? (declared === undefined && !hasNone ? (adopted ?? logicalName(hidden.urn)) : undefined);
  return {
    inputs: declared === undefined && name !== undefined ? { ...inputs, [defaultName]: name } : inputs,
    hidden: typeof name === "string" ? { ...hidden, name } : hidden,
  };
}

function isById(adopt: unknown): boolean {
  return adopt !== undefined && typeof adopt !== "boolean";
}

/** The last part of a URN: the name that the program gives a resource. It can contain colons itself. */
function logicalName(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

function timeoutProblems(timeouts: Timeouts | undefined): readonly Problem[] {
  return Object.entries(timeouts ?? {}).flatMap(([verb, text]) =>
    typeof text === "string" && milliseconds(text) === undefined
      ? [{ property: `customTimeouts.${verb}`, reason: 'must be a duration such as "90s", "10m" or "1h30m"' }]
      : [],
  );
}
