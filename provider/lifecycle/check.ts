import { isDeepStrictEqual } from "node:util";

import { idOfName } from "../../api/lookups/name-for-id";
import { withoutStop } from "../../api/core/errors";
import type { Call } from "../call/call";
import type { Problem } from "../call/services";
import { plain } from "../kind/field-rules";
import { adoptedSegment, segmentsOf } from "../kind/id";
import { type InputProblem, refusedChanges, timeProblems } from "../kind/input-problems";
import type { AnyKind } from "../kind/kind";
import { keySetting, replaceKey } from "../settings/key-source";
import { unknownValue, type Values } from "../values";
import { claimName } from "./claims";
import { isUnsettled, planCreation } from "./containment";
import { packingProblems, withHashes } from "./contents";
import { asksOf, isAdopting } from "./existing/facts";
import { previewExisting, unknownExisting } from "./existing/preview";
import { inputProblems, isLost, lostInputs } from "./lost-inputs";
import { type ServedKind, Work } from "./work";

interface NamedInputs {
  readonly inputs: Values;
  /** The default name of the resource. It does not change when the program renames the resource. */
  readonly defaultName?: string | undefined;
}

interface Checked extends NamedInputs {
  readonly problems: readonly Problem[];
}

/**
 * Validates inputs and fills in the default name. Returns the inputs for the engine to store.
 *
 * For a new resource, a preview calls no other method. A problem that only the platform can report would otherwise show
 * in `up` at the earliest, so this method asks the platform about new and changed resources. For an unchanged resource,
 * it sends nothing.
 *
 * Inputs that this run has lost are not reported: a failed check ends the program, while the engine skips what depends
 * on a failed resource. `create` and `update` refuse lost inputs.
 *
 * @param before the inputs in the state; undefined for a new resource
 * @param isImported whether the new resource already has its object
 */
export async function check(
  served: ServedKind,
  call: Call,
  before: Values | undefined,
  given: Values,
  isImported = false,
): Promise<Checked> {
  const { kind, services } = served;
  services.registry.declare(call.urn);
  if (before !== undefined) claimName({ kind, services, call }, before);
  const { inputs, problems: unreadable } = await withHashes(given, before);
  const named = withName(kind, inputs, call, before);
  const own = ownProblems(served, call, before, named.inputs);
  const problems = [...own, ...unreadable.filter(({ property }) => own.every((one) => one.property !== property))];
  // Returns no default name: one that is not known yet would be an error of its own, and hide these problems.
  const rejected = (reasons: readonly Problem[]): Checked => ({ inputs: given, problems: reasons });
  if (problems.length > 0) return rejected(await withIds(served, named.inputs, problems));
  const unpackable = await packingProblems(kind.rules, named.inputs, before);
  if (unpackable.length > 0) return rejected(unpackable);
  if (isUnchanged(before, named.inputs) || lostInputs(served, call, named.inputs).length > 0) {
    return { ...named, problems };
  }
  const work = new Work(served, call, "preview");
  const { rejection, isAccepted, silence } = await work.account.apiKeyCheck.verdict();
  if (rejection !== undefined) return rejected([keyProblem(work, rejection)]);
  if (silence !== undefined) {
    warnOfSilence(work, silence);
    return { ...named, problems };
  }
  const untimely = timeProblems(kind, before, named.inputs, work.serverClock.now().getTime());
  if (untimely.length > 0) return rejected(untimely);
  // Problems that would fail `up` and that only the platform can tell, such as a value that does not exist there.
  const platformProblems = async (asked: Values, known = before): Promise<readonly Problem[]> =>
    (await kind.preview?.problems?.(work, asked, known)) ?? [];
  if (before !== undefined || isImported) {
    // An imported object exists, like one that has not changed.
    const found = await platformProblems(named.inputs, before ?? named.inputs);
    return found.length > 0 ? rejected(found) : { ...named, problems };
  }
  const isAsked = isAdopting(asksOf(work, named.inputs));
  const { obstacles, adopts, name, action, warnings } =
    isUnsettled(work, named.inputs) || (!isAsked && !isAccepted)
      ? unknownExisting
      : await previewExisting(
          isAsked ? work : new Work(served, call, "look"),
          named.inputs,
          kind.defaultName !== undefined && inputs[kind.defaultName] === undefined,
        );
  const ofPlatform = await platformProblems({ ...named.inputs, adopt: adopts });
  if (ofPlatform.length > 0) return rejected(ofPlatform);
  if (obstacles.length > 0) return rejected(obstacles);
  if (!isAsked && warnings.length === 0) planCreation(work, named.inputs);
  if (action !== undefined) services.progress(call.urn, action);
  for (const { id, text } of warnings) {
    if (id !== undefined) services.told.add(`${call.urn} ${id}`);
    services.warn(call.urn, text);
  }
  return { ...(name === undefined ? named : withName(kind, inputs, call, before, name)), problems };
}

/** Warns once in a run that the preview knows nothing of the account. */
function warnOfSilence({ services, call }: Work, silence: string): void {
  if (services.told.has(silence)) return;
  services.told.add(silence);
  services.warn(
    call.urn,
    `Neon's API did not answer: ${withoutStop(silence)}. What exists there is not known. \`pulumi up\` fails unless the API answers by then: check \`neon:apiUrl\` and the network.`,
  );
}

/** The problem of a key that the platform rejects. */
function keyProblem({ account, call }: Work, rejection: string): Problem {
  const source = call.keySource ?? account.keySource;
  return { property: keySetting(source), reason: `${rejection}. ${replaceKey(source)}` };
}

/**
 * Whether the program declares the same as before. `adopt` does not count, because it has no effect on an existing
 * resource.
 */
function isUnchanged(before: Values | undefined, inputs: Values): boolean {
  if (before === undefined) return false;
  const [then, now] = [before, inputs].map(({ adopt: _, ...others }) => plain(others));
  return isDeepStrictEqual(then, now);
}

/** For each problem with a name in place of an id, adds the id if one read finds it. */
async function withIds(
  { services }: ServedKind,
  { projectId, orgId }: Values,
  problems: readonly InputProblem[],
): Promise<readonly Problem[]> {
  const account = services.account();
  if ("problems" in account) return problems;
  const { client, settings } = account;
  const within = { projectId, orgId: typeof orgId === "string" ? orgId : settings.orgId };
  return await Promise.all(
    problems.map(async ({ property, reason, name }) => {
      const argument = property.slice(property.lastIndexOf(".") + 1);
      const found = name === undefined ? undefined : await idOfName(client, argument, name, within);
      return { property, reason: found === undefined ? reason : `${reason}. ${found}` };
    }),
  );
}

/** The problems that the inputs and settings show without a request. */
function ownProblems(
  served: ServedKind,
  call: Call,
  before: Values | undefined,
  inputs: Values,
): readonly InputProblem[] {
  const { kind, services } = served;
  const account = services.account();
  return [
    ...("problems" in account ? account.problems : []),
    ...inputProblems(served, inputs, before === undefined).filter((problem) => !isLost(call, problem)),
    ...(before === undefined ? [] : refusedChanges(kind.rules, before, inputs)),
  ];
}

/**
 * Fills in the default name: the name of the adopted object, or else the logical name. A resource that the program
 * renames with an alias keeps the default name from its creation, because renaming must not change the object.
 *
 * @param adopted the name of the object whose id `adopt` names. Default: the name in that id, or else not known
 */
export function withName(
  kind: AnyKind,
  inputs: Values,
  { urn, defaultName: chosen }: Pick<Call, "urn" | "defaultName">,
  before: Values | undefined,
  adopted: unknown = adoptedName(kind, inputs),
): NamedInputs {
  const { defaultName: key } = kind;
  if (key === undefined) return { inputs };
  const declared = inputs[key];
  const hasNone = adopted === null || (before !== undefined && before[key] === undefined);
  const name = chosen ?? (declared === undefined && !hasNone ? (adopted ?? logicalName(urn)) : undefined);
  return {
    inputs: declared === undefined && name !== undefined ? { ...inputs, [key]: name } : inputs,
    // The default name is kept even while the program declares a name.
    ...(typeof name === "string" ? { defaultName: name } : {}),
  };
}

/** The name of the object that `adopt` names, if the id contains it. Undefined if `adopt` names no id. */
function adoptedName({ defaultName, addressNames }: AnyKind, inputs: Values): unknown {
  const { adopt } = inputs;
  if (adopt === undefined || typeof adopt === "boolean") return undefined;
  const [name, ...parents] = [...addressNames].reverse();
  if (name !== defaultName || typeof adopt !== "string") return unknownValue;
  const ids = parents.reverse().map((parent) => inputs[parent]);
  const areKnown = ids.every((id) => typeof id === "string");
  return areKnown ? adoptedSegment(adopt, ...ids) : segmentsOf(adopt).at(-1);
}

/** The last part of a URN: the resource's name in the program. It can contain colons. */
function logicalName(urn: string): string {
  return urn.split("::").slice(3).join("::");
}
