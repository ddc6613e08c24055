import { isDeepStrictEqual } from "node:util";

import type { Call } from "../call/call";
import type { Problem } from "../call/services";
import { plain } from "../kind/field-rules";
import { adoptedSegment, segmentsOf } from "../kind/id";
import { refusedChanges, shapeProblems, unsetProblems } from "../kind/input-problems";
import type { AnyKind } from "../kind/kind";
import { unknownValue, type Values } from "../values";
import { previewAdoption } from "./adoption-preview";
import { type ServedKind, Work } from "./work";

interface Named {
  readonly inputs: Values;
  /** The default name that the resource has or gets. It stays, whatever the resource is renamed to in the program. */
  readonly defaultName?: string | undefined;
}

interface Checked extends Named {
  readonly problems: readonly Problem[];
}

/**
 * Validates inputs and fills in the default name. Returns the inputs as the engine is to store them.
 *
 * A preview calls no other method for a new resource. So this asks the platform what is wrong with a new or changed one:
 * it is the only place where that can show before `up`. For a resource that has not changed, it sends nothing.
 *
 * @param before the inputs in the state; undefined for a new resource
 */
export async function check(
  served: ServedKind,
  call: Call,
  before: Values | undefined,
  given: Values,
): Promise<Checked> {
  const { kind, services } = served;
  services.registry.declare(call.urn);
  const named = withName(kind, given, call, before);
  const problems = ownProblems(served, before, named.inputs);
  // Without a name that was looked for: one that is not known yet would be an error of its own, and hide the problems.
  const rejected = (reasons: readonly Problem[]): Checked => ({ inputs: given, problems: reasons });
  if (problems.length > 0) return rejected(problems);
  if (isUnchanged(before, named.inputs)) return { ...named, problems };
  const work = new Work(served, call, "preview");
  const ofPlatform = await platformProblems(work, before, named.inputs);
  if (ofPlatform.length > 0) return rejected(ofPlatform);
  if (before !== undefined) return { ...named, problems };
  const { problems: obstacles, name, warning } = await previewAdoption(work, named.inputs);
  if (warning !== undefined) services.warn(call.urn, warning);
  if (obstacles.length > 0) return rejected(obstacles);
  return { ...(name === undefined ? named : withName(kind, given, call, before, name)), problems };
}

/** Whether the program declares what it declared before. `adopt` has no effect on an existing resource. */
function isUnchanged(before: Values | undefined, inputs: Values): boolean {
  if (before === undefined) return false;
  const [then, now] = [before, inputs].map(({ adopt: _, ...others }) => plain(others));
  return isDeepStrictEqual(then, now);
}

/** What is wrong with the inputs and the settings by themselves. */
function ownProblems({ kind, services }: ServedKind, before: Values | undefined, inputs: Values): readonly Problem[] {
  const account = services.account();
  return [
    ...("problems" in account ? account.problems : []),
    ...shapeProblems(kind.inputs(), inputs),
    ...(before === undefined && "settings" in account ? unsetProblems(kind.rules, inputs, account.settings) : []),
    ...(before === undefined ? [] : refusedChanges(kind.rules, before, inputs)),
  ];
}

/**
 * What `up` would fail at, as far as only the platform can tell: a key that it rejects, a value that does not exist there.
 *
 * @param inputs may hold unknown values
 */
async function platformProblems(
  { kind, account, context }: Work,
  before: Values | undefined,
  inputs: Values,
): Promise<readonly Problem[]> {
  const rejection = await account.apiKeyCheck.rejection();
  if (rejection !== undefined) return [{ property: "neon:apiKey", reason: rejection }];
  return (await kind.preview?.problems?.(context, inputs, before)) ?? [];
}

/**
 * Inputs with the default name: that of the adopted object, or else the logical name. A resource that is renamed in the
 * program with an alias keeps the default name it was created with: renaming must not change the object.
 *
 * @param adopted the name of the object that `adopt` names by its id. Default: not known, unless the id holds it.
 */
export function withName(
  kind: AnyKind,
  inputs: Values,
  { urn, defaultName: chosen }: Pick<Call, "urn" | "defaultName">,
  before: Values | undefined,
  adopted: unknown = adoptedName(kind, inputs),
): Named {
  const { defaultName: key } = kind;
  if (key === undefined) return { inputs };
  const declared = inputs[key];
  const hasNone = adopted === null || (before !== undefined && before[key] === undefined);
  const name = chosen ?? (declared === undefined && !hasNone ? (adopted ?? logicalName(urn)) : undefined);
  return {
    inputs: declared === undefined && name !== undefined ? { ...inputs, [key]: name } : inputs,
    // Kept even while the program declares a name.
    ...(typeof name === "string" ? { defaultName: name } : {}),
  };
}

/** The name of the object that `adopt` names, as far as its id holds it. Undefined if `adopt` names none by its id. */
function adoptedName({ defaultName, address }: AnyKind, inputs: Values): unknown {
  const { adopt } = inputs;
  if (adopt === undefined || typeof adopt === "boolean") return undefined;
  const [name, ...parents] = Object.keys(address("")).reverse();
  if (name !== defaultName || typeof adopt !== "string") return unknownValue;
  const ids = parents.reverse().map((parent) => inputs[parent]);
  const areKnown = ids.every((id) => typeof id === "string");
  return areKnown ? adoptedSegment(adopt, ...ids) : segmentsOf(adopt).at(-1);
}

/** The last part of a URN: the name that the program gives a resource. It can contain colons itself. */
function logicalName(urn: string): string {
  return urn.split("::").slice(3).join("::");
}
