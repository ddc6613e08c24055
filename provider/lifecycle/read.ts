import { isDeepStrictEqual } from "node:util";

import type { Call } from "../call/call";
import { inputsAt } from "../kind/differences";
import { atPath, type Values } from "../values";
import { confirmedRead, readConfirmed } from "./confirmed-read";
import { nothingDone, nothingToRead } from "./errors";
import { driftOf, type Hidden, type State, type Stored, versionOf, withDeclared } from "./state";
import { type ServedKind, Work } from "./work";

/** An object as the platform reports it. A read by id (`get`) has no inputs of its own: those in the state stay. */
export interface Reading extends Stored {
  readonly inputs?: Values;
}

/**
 * Reads the object: its outputs and the inputs that would declare it. Undefined when it is gone.
 *
 * Fails if there is no such object and no state of it, either: Pulumi takes "gone" for an answer to a refresh only, and would
 * continue a read by id (`get`) with a resource whose outputs are undefined.
 */
export async function read(
  served: ServedKind,
  call: Call,
  { outputs: before, hidden }: State,
): Promise<Reading | undefined> {
  const { kind } = served;
  // What was read of an omitted input is no declaration of it.
  const declared = call.declaredBefore.filter((path) => hidden.drifted?.includes(path) !== true);
  // No program declares what it only reads: the state holds nothing that a wrong 404 could lose.
  const isOnlyRead = declared.length === 0;
  const { owner: recorded, latestOperation } = hidden;
  const work = new Work(served, call, "refresh", { values: before, owner: recorded, latestOperation });
  let drift: ReturnType<typeof driftOf> | undefined;
  const readNow = async (): Promise<Values | undefined> => {
    const found = await (isOnlyRead ? kind.read(work, before) : confirmedRead(work, before)).catch((error: unknown) => {
      throw nothingDone(kind, error, "read");
    });
    if (found === undefined) return undefined;
    drift = driftOf(kind, { outputs: before, hidden }, declared, found);
    return withDeclared(kind, declared, (path) => atPath(before, path), found, drift.moved);
  };
  // What an earlier call has left unfinished is read as it is now, and so is an object of which nothing is known.
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
    latestOperation: isOnlyRead ? undefined : seen.latestOperation,
    ...(isOnlyRead || drift === undefined || drift.drifted.length === 0 ? {} : { drifted: drift.drifted }),
  };
  const stored = { outputs, hidden: kept };
  return isOnlyRead ? stored : { ...stored, inputs: inputsAt(kind, outputs, [...declared, ...(kept.drifted ?? [])]) };
}
