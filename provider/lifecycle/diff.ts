import { isDeepStrictEqual } from "node:util";

import { invalid } from "../../api/core/errors";
import type { Call } from "../call/call";
import { changesAt, declaredAsPresent, declaredPaths, differences, newlyOwned } from "../kind/differences";
import { replaces as replacesAt, ruleFor, same } from "../kind/field-rules";
import type { AnyKind } from "../kind/kind";
import { uniqueInputs } from "../kind/natural-key";
import { atPath, type Values } from "../values";
import { claimFormerParts, claimManaged } from "./claims";
import { withName } from "./check";
import { lossOf, lossWarning, planContainment } from "./containment";
import { managedBy, retainedCollision } from "./errors";
import { assertReplaceable } from "./existing/obstacles";
import { lostInputs } from "./lost-inputs";
import { presentWork, wasInterrupted } from "./repeated";
import { replaceWarning } from "./replace-warning";
import { type State, withDefaults } from "./state";
import type { ServedKind } from "./work";

/** A difference between program and state. */
export interface Difference {
  /** Paths of the inputs in which the object differs from the program. */
  readonly changed: readonly string[];
  /** Paths of the inputs that the object already has as declared and that only the state has to record. */
  readonly recorded: readonly string[];
  /** The changed paths that need a new object. */
  readonly replaces: readonly string[];
  /** How to continue if an earlier call left the object unfinished or unusable. */
  readonly unfinished?: "resume" | "replace";
  /**
   * Whether a replacement has to delete the object first. Set for every difference, because any change can become a
   * replacement.
   */
  readonly deletesFirst: boolean;
}

/** Compares state and program. Sends no request, except for work that others can undo. */
export async function diff(served: ServedKind, call: Call, state: State, inputs: Values): Promise<Difference> {
  const { kind, services } = served;
  const { hidden } = state;
  const { registry, warn } = services;
  const { declaredBefore, isRetained, replaced, urn } = call;
  const declared = declaredPaths(kind, inputs);
  const claimant = { ...served, call };
  const holder = claimManaged(claimant, state.outputs, hidden, declared);
  claimFormerParts(claimant, state.outputs, hidden, declared);
  if (holder !== undefined) throw managedBy(kind, kind.id(state.outputs), holder);

  // The update refuses lost inputs, unless the engine skips it.
  const lost = registry.isDeclared(urn) ? lostInputs(served, call, inputs) : [];
  if (lost.length > 0) return { changed: lost, recorded: [], replaces: [], deletesFirst: false };

  const isWork = kind.repeats !== undefined;
  const loss = lossOf(claimant, state, inputs);
  // Nothing is awaited for other kinds: the engine may ask about the next resource before this one is registered.
  const isInterrupted = wasInterrupted(claimant, state.outputs);
  const outputs = isWork ? await presentWork(claimant, state, loss !== undefined || isInterrupted) : state.outputs;
  const isUndone = !isDeepStrictEqual(outputs, state.outputs);
  const different = differences(kind, outputs, declaredBefore, withDefaults(kind, hidden, inputs));
  const present = declaredAsPresent(kind, different, inputs, hidden.owner);
  const changed = different.filter((path) => !present.includes(path));
  const isRefused = hidden.obstacle !== undefined && kind.preview?.refuses?.(inputs, changesAt(changed)) === true;
  // Without a program, the engine only asks for the changes that a refresh has found.
  if (isRefused && registry.hasProgram) throw invalid(`${hidden.obstacle} Nothing was changed`);
  const replaces = changed.filter((path) => replacesAt(kind.rules, path, outputs));
  const isBroken = hidden.pending?.broken === true;
  const isLost = loss !== undefined && !isWork;
  const deletesFirst = isBroken || isLost || collides(kind, outputs, inputs, call);
  const isReplaced = replaces.length > 0 || isBroken || isLost;
  const planned = { changed, isReplaced, deletesFirst, isLost: loss !== undefined };
  planContainment(claimant, { outputs, hidden }, inputs, planned);
  if (isLost) warn(urn, lossWarning(kind, loss));
  else if (isReplaced) {
    assertReplaceable(kind, inputs, outputs);
    if ((isRetained || replaced.isRetained === true) && deletesFirst) throw retainedCollision(kind, outputs);
    if (registry.hasProgram) warn(urn, replaceWarning(kind, replaces, { outputs, hidden }, inputs, call, deletesFirst));
  } else {
    const overwrites = kind.preview?.overwrites?.(outputs, inputs, changesAt(changed));
    if (overwrites !== undefined && registry.hasProgram) warn(urn, overwrites);
    if (isWork && registry.hasProgram && (changed.length > 0 || hidden.pending !== undefined)) {
      const inProgram = differences(kind, state.outputs, declaredBefore, inputs);
      const last = isInterrupted ? "interrupted" : hidden.pending === undefined ? undefined : "failed";
      const others = { undoneBy: loss?.by, isUndone: isUndone && !isInterrupted };
      services.say(urn, kind.repeats.why({ changed: inProgram, last, ...others }));
    }
  }
  return {
    changed,
    recorded: [...present, ...newlyOwned(kind, declaredBefore, inputs)],
    replaces,
    ...((isLost || isUndone || hidden.pending !== undefined) && {
      unfinished: isLost || isBroken ? "replace" : "resume",
    }),
    deletesFirst,
  };
}

/** Whether a replacement would collide with the present object, which then has to be deleted first. */
function collides(kind: AnyKind, outputs: Values, inputs: Values, { urn, defaultName }: Call): boolean {
  const unique = uniqueInputs(kind, inputs);
  // A replacement gets a new default name: the one that an alias has kept is not used again.
  const key = kind.defaultName;
  const isDefault = key !== undefined && defaultName !== undefined && inputs[key] === defaultName;
  const next = isDefault ? withName(kind, { ...inputs, [key]: undefined }, { urn }, undefined).inputs : inputs;
  return (
    unique.length > 0 &&
    unique.every(
      (input) => same(ruleFor(kind.rules, input), atPath(outputs, input), next[input]) || next[input] === undefined,
    )
  );
}
