import { atPath, pick, type Values } from "../kind/values";
import { nothingDone } from "./failure";
import type { KindRuntime } from "./runtime";
import { hiddenKey, type HiddenOutputs, parseState, storedState } from "./state";
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
  const context = runtime.context({ verb: "update", hidden: known, ...scope });
  await runtime.settle(state);
  const found = await runtime.read(context, before).catch((error: unknown) => {
    throw nothingDone(error, "read");
  });
  if (found === undefined) return undefined;
  const outputs = withDeclared(kind, declared, (path) => atPath(before, path), found);
  const owner = isLookup ? undefined : await runtime.ownerOf(context, found, known.owner);
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
