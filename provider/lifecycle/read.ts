import { isDeepStrictEqual } from "node:util";

import type { Call } from "../call/call";
import { atPath, pick, type Values } from "../values";
import { nothingDone } from "./errors";
import { type State, type Stored, withDeclared } from "./state";
import { type ServedKind, settleRecorded, Work } from "./work";

/** An object as the platform reports it. A read by id (`get`) has no inputs of its own: those in the state stay. */
export interface Reading extends Stored {
  readonly inputs?: Values;
}

/** Reads the object: its outputs and the inputs that would declare it. Undefined when it is gone. */
export async function read(
  served: ServedKind,
  call: Call,
  { outputs: before, hidden }: State,
): Promise<Reading | undefined> {
  const { kind } = served;
  const { declaredBefore: declared } = call;
  // No program declares what it only reads: the state holds nothing that a wrong 404 could lose.
  const isLookup = declared.length === 0;
  const readAs = async (work: Work): Promise<Values | undefined> => {
    const found = await (isLookup ? kind.read(work.context, before) : work.read(before)).catch((error: unknown) => {
      throw nothingDone(error, "read");
    });
    return found && withDeclared(kind, declared, (path) => atPath(before, path), found);
  };
  const known = { values: before, owner: hidden.owner };
  // What an earlier call has left unfinished is read as it is now, and so is an object of which nothing is known.
  const isSettled = hidden.version !== undefined && hidden.pending === undefined;
  let work = new Work(served, call, isSettled ? "listed" : "refresh", known);
  await settleRecorded(served, hidden);
  let outputs = await readAs(work);
  // A list may be older than the change that the state already holds.
  if (work.context.sender.hasSharedRead && !isDeepStrictEqual(outputs, before)) {
    work = new Work(served, call, "refresh", known);
    outputs = await readAs(work);
  }
  if (outputs === undefined) return undefined;
  const owner = isLookup ? undefined : await work.ownerOf(outputs, hidden.owner);
  const stored = { outputs, hidden: { ...hidden, ...(owner && { owner }), declared, version: kind.version } };
  return isLookup ? stored : { ...stored, inputs: pick(outputs, declared) };
}
