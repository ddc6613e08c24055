import { isDeepStrictEqual } from "node:util";

import type { Context } from "../kind/context";
import { atPath, pick, type Values } from "../kind/values";
import { nothingDone } from "./failure";
import type { KindRuntime } from "./runtime";
import { entryOf, hiddenKey, type HiddenOutputs, parseState, storedState } from "./state";
import { savedHiddenInputs, withDeclared } from "./stored-outputs";

/** An object as the platform reports it. A lookup (`get`) has no inputs of its own: those in the state stay. */
export interface Reading {
  readonly outputs: Values;
  readonly inputs?: Values;
}

/** Reads the object: its outputs and the inputs that would declare it. Undefined when it is gone. */
export async function read(runtime: KindRuntime, id: string, stored: Values): Promise<Reading | undefined> {
  const { kind } = runtime;
  const state = parseState(kind, id, stored);
  const { hidden: known, outputs: before } = state;
  const { declared = [] } = known;
  // No program declares a lookup: the state holds nothing that a wrong 404 could lose.
  const isLookup = declared.length === 0;
  const scope = isLookup ? {} : { project: runtime.projectOf(before), owner: known.owner };
  const contextOf = (sharesReads: boolean): Context =>
    runtime.context({ verb: "update", hidden: known, ...scope, entry: entryOf(known), sharesReads, isRefresh: true });
  const readWith = async (context: Context): Promise<Values | undefined> => {
    const found = await runtime.read(context, before).catch((error: unknown) => {
      throw nothingDone(error, "read");
    });
    return found && withDeclared(kind, declared, (path) => atPath(before, path), found);
  };
  // What an earlier call has left unfinished is read as it is now, and so is an object of which nothing is known.
  const isSettled = known.version !== undefined && known.pending === undefined;
  const shared = contextOf(isSettled);
  await runtime.settle(state);
  const listed = await readWith(shared);
  // A list may be older than the change that the state already holds.
  const isCertain = !shared.hasSharedRead || isDeepStrictEqual(listed, before);
  const context = isCertain ? shared : contextOf(false);
  const outputs = isCertain ? listed : await readWith(context);
  if (outputs === undefined) return undefined;
  const owner = isLookup ? undefined : await runtime.ownerOf(context, outputs, known.owner);
  const hidden: HiddenOutputs = {
    urn: "",
    ...known,
    ...(owner === undefined ? {} : { owner }),
    declared,
    version: kind.version,
  };
  const reading = { outputs: storedState(outputs, hidden) };
  return isLookup
    ? reading
    : { ...reading, inputs: { ...pick(outputs, declared), [hiddenKey]: savedHiddenInputs(hidden) } };
}
