import { isDeepStrictEqual } from "node:util";

import type { Call } from "../call/call";
import { inputsAt } from "../kind/differences";
import { atPath, type Values } from "../values";
import { confirmedRead, readConfirmed } from "./confirmed-read";
import { nothingDone, nothingToRead } from "./errors";
import { driftOf, type Hidden, type State, type Stored, versionOf, withDeclared } from "./state";
import { type ServedKind, Work } from "./work";

/** An object as the platform reports it. A read by id (`get`) has no inputs of its own, so those in the state stay. */
export interface Reading extends Stored {
  readonly inputs?: Values;
}

/**
 * Reads the object: its outputs and the inputs that would declare it. Undefined if it is gone.
 *
 * Fails if there is neither such an object nor a state of it. Pulumi understands "gone" in a refresh only: after a read
 * by id (`get`), it would continue with a resource whose outputs are undefined.
 */
export async function read(
  served: ServedKind,
  call: Call,
  { outputs: before, hidden }: State,
): Promise<Reading | undefined> {
  const { kind } = served;
  // A drifted value of an omitted input is recorded, but the program does not declare it.
  const declared = call.declaredBefore.filter((path) => hidden.drifted?.includes(path) !== true);
  // A resource that is only looked up declares nothing, so a wrong 404 can lose nothing from the state.
  const isOnlyRead = declared.length === 0;
  const { owner: recorded, asOf } = hidden;
  const work = new Work(served, call, "refresh", { values: before, owner: recorded, asOf });
  let drift: ReturnType<typeof driftOf> | undefined;
  const readNow = async (): Promise<Values | undefined> => {
    const found = await (isOnlyRead ? kind.read(work, before) : confirmedRead(work, before)).catch((error: unknown) => {
      throw nothingDone(kind, error, "read");
    });
    if (found === undefined) return undefined;
    drift = driftOf(kind, { outputs: before, hidden }, declared, found);
    return withDeclared(kind, declared, (path) => atPath(before, path), found, drift.moved);
  };
  // Unfinished work of an earlier call needs a current read, and so does an object of which nothing is known.
  const reads = hidden.version === undefined || hidden.pending !== undefined ? "alone" : "listed";
  // A list may be older than the change that the state already holds.
  const outputs = await readConfirmed(work, reads, readNow, (found) => isDeepStrictEqual(found, before));
  if (outputs === undefined) {
    if (hidden.version !== undefined) return undefined;
    throw nothingToRead(kind, kind.id(before), await work.visibility.keyOwner());
  }
  const owner = isOnlyRead ? undefined : await work.ownerOf(outputs, recorded);
  const { seen } = work;
  const { pending, evidence = seen.evidence } = hidden;
  const { drifted: _, ...others } = hidden;
  const kept: Hidden = {
    ...others,
    ...(owner && { owner }),
    declared,
    version: versionOf(kind),
    pending,
    evidence,
    obstacle: seen.obstacle,
    asOf: isOnlyRead ? undefined : seen.asOf,
    ...(isOnlyRead || drift === undefined || drift.drifted.length === 0 ? {} : { drifted: drift.drifted }),
  };
  const stored = { outputs, hidden: kept };
  return isOnlyRead ? stored : { ...stored, inputs: inputsAt(kind, outputs, [...declared, ...(kept.drifted ?? [])]) };
}
