import { isDeepStrictEqual } from "node:util";

import { asSentence, invalid, type NeonError } from "../../api/errors";
import {
  changesAt,
  declaredAsPresent,
  declaredPaths,
  differences,
  newlyOwned,
  top,
  uniqueInputs,
} from "../kind/differences";
import { plain, ruleFor, same } from "../kind/field-rules";
import type { AnyKind } from "../kind/kind";
import type { Pending } from "../kind/pending-work";
import { atPath, unknownValue, type Values } from "../kind/values";
import { withName } from "./check";
import type { KindRuntime } from "./runtime";
import { entryOf, hiddenInputsOf, parseState, withoutHidden } from "./state";

/** A difference between program and state, as the engine receives it. */
export interface Difference {
  /** `undefined`: the engine compares the inputs itself, which shows each property. */
  readonly changes: boolean | undefined;
  /** Inputs whose change needs a new object. */
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

/** Compares state and program. Sends nothing. */
export async function diff(runtime: KindRuntime, id: string, stored: Values, given: Values): Promise<Difference> {
  const { kind, services, adoption } = runtime;
  const { program, renamedUrns } = services;
  const state = parseState(kind, id, stored);
  const { hidden, outputs } = state;
  const { pending, declared = [] } = hidden;
  const inputs = withoutHidden(given);
  const { urn } = hiddenInputsOf(given);
  await runtime.settle(state);
  runtime.claim({ urn, stateUrn: hidden.urn, entry: entryOf(hidden) }, outputs, declaredPaths(kind, inputs));
  runtime.claimFormerParts(urn, state, declaredPaths(kind, inputs));
  if (hidden.urn !== undefined && hidden.urn !== urn && program.isRunning) renamedUrns.renamed(hidden.urn, id, urn);
  adoption.assertNotManagedByOther(outputs, urn, hidden);

  const different = differences(kind, outputs, declared, inputs);
  const present = declaredAsPresent(kind, different, inputs, hidden.owner);
  const changed = different.filter((path) => !present.includes(path));
  const replacing = changed.filter((path) => ruleFor(kind.rules, path).onChange === "replace");
  const isBroken = pending?.broken === true;
  // Answered for every difference: `replaceOnChanges` can make a replacement of any change.
  const deleteBeforeReplace = isBroken || collides(kind, outputs, inputs, given);
  if (replacing.length > 0 || isBroken) {
    adoption.assertReplaceable(inputs, outputs);
    const isRetained = program.isRetained(urn);
    if (isRetained && deleteBeforeReplace) throw retainedCollision(kind, outputs);
    if (program.isRunning) services.warn(urn, replaceWarning(kind, replacing, inputs, pending, isRetained));
    return {
      changes: pending === undefined ? undefined : true,
      replaces: isBroken ? ["id"] : [...new Set(replacing.map(top))],
      deleteBeforeReplace,
    };
  }
  const overwrites = kind.overwriteWarning?.(outputs, inputs, changesAt(changed));
  if (overwrites !== undefined && program.isRunning) services.warn(urn, overwrites);
  if (pending !== undefined) return { changes: true, replaces: [], deleteBeforeReplace };
  const owned = [...present, ...newlyOwned(kind, declared, inputs)];
  if (changed.length + owned.length > 0) return { changes: undefined, replaces: [], deleteBeforeReplace };
  // `destroy` uses the timeouts in the state, and the engine cannot compare them: no input holds them.
  const timeouts = program.timeoutsOf(urn, hidden.timeouts);
  const changes = !isDeepStrictEqual(plain(timeouts ?? {}), plain(hidden.timeouts ?? {}));
  return { changes, replaces: [], deleteBeforeReplace };
}

/** Whether a replacement would collide with the present object, so that this one has to be deleted first. */
function collides(kind: AnyKind, outputs: Values, inputs: Values, given: Values): boolean {
  const unique = uniqueInputs(kind, inputs);
  // A replacement gets a default name of its own: the one that an alias has kept is not used again.
  const { urn, name } = hiddenInputsOf(given);
  const key = kind.defaultName;
  const isDefault = key !== undefined && name !== undefined && inputs[key] === name;
  const next = isDefault ? withName(kind, { ...inputs, [key]: undefined }, { urn }, undefined).inputs : inputs;
  return (
    unique.length > 0 &&
    unique.every((input) => same({}, atPath(outputs, input), next[input]) || next[input] === undefined)
  );
}

function replaceWarning(
  { noun, lossOnReplace = "" }: AnyKind,
  paths: readonly string[],
  inputs: Values,
  pending: Pending | undefined,
  isRetained: boolean,
): string {
  if (paths.length === 0) {
    return `This ${noun} is replaced because its creation failed and it never became usable. ${asSentence(pending?.reason ?? "")}`;
  }
  // The values are left to the engine, which knows the secret ones and shows the rest.
  const names = paths.map((path) =>
    atPath(inputs, path) === unknownValue ? `\`${path}\` (its new value is not known yet)` : `\`${path}\``,
  );
  const loss = isRetained
    ? `The old ${noun} is kept (\`retainOnDelete\`), and nothing manages it any more.`
    : lossOnReplace;
  return `Changing ${listOf(names)} replaces this ${noun}. ${loss}`.trimEnd();
}

/** The error of a replacement that needs the name of an object which `retainOnDelete` keeps. */
function retainedCollision({ noun, id, defaultName }: AnyKind, outputs: Values): NeonError {
  const other = defaultName === undefined ? "" : ", declare another name";
  return invalid(
    `This change replaces the ${noun} ${id(outputs)}, but \`retainOnDelete\` keeps the old one, and there can be only one of them`,
    { fix: `Take the change back${other}, or remove \`retainOnDelete\`.` },
  );
}

function listOf(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}
