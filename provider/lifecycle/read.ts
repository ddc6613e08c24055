import { isDeepStrictEqual } from "node:util";

import type { Call } from "../call/call";
import type { Pending } from "../call/pending-work";
import { changesAt } from "../kind/differences";
import { ruleFor, same } from "../kind/field-rules";
import type { AnyKind } from "../kind/kind";
import { atPath, pick, type Values } from "../values";
import { confirmedRead } from "./confirmed-read";
import { nothingDone, nothingToRead } from "./errors";
import { type State, type Stored, withDeclared } from "./state";
import { type ServedKind, settleRecorded, Work } from "./work";

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
  const { declaredBefore: declared } = call;
  // No program declares what it only reads: the state holds nothing that a wrong 404 could lose.
  const isOnlyRead = declared.length === 0;
  const work = new Work(served, call, "refresh", { values: before, owner: hidden.owner });
  const { sender } = work.context;
  const readNow = async (): Promise<Values | undefined> => {
    const found = await (isOnlyRead ? kind.read(work.context, before) : confirmedRead(work, before)).catch(
      (error: unknown) => {
        throw nothingDone(error, "read");
      },
    );
    return found && withDeclared(kind, declared, (path) => atPath(before, path), found);
  };
  // What an earlier call has left unfinished is read as it is now, and so is an object of which nothing is known.
  if (hidden.version === undefined || hidden.pending !== undefined) sender.stopSharingReads();
  await settleRecorded(served, hidden);
  let outputs = await readNow();
  // A list may be older than the change that the state already holds.
  if (sender.hasSharedRead && !isDeepStrictEqual(outputs, before)) {
    sender.stopSharingReads();
    outputs = await readNow();
  }
  if (outputs === undefined) {
    if (hidden.version !== undefined) return undefined;
    throw nothingToRead(kind, kind.id(before), await work.context.visibility.keyOwner());
  }
  const owner = isOnlyRead ? undefined : await work.ownerOf(outputs, hidden.owner);
  const pending = hidden.pending ?? reapplied(kind, declared, before, outputs);
  const stored = { outputs, hidden: { ...hidden, ...(owner && { owner }), declared, version: kind.version, pending } };
  return isOnlyRead ? stored : { ...stored, inputs: pick(outputs, declared) };
}

/** What the next update applies again: a killed run can have sent a new value and not what puts it into effect. */
function reapplied(
  { rules }: AnyKind,
  declared: readonly string[],
  before: Values,
  found: Values,
): Pending | undefined {
  const applies = Object.keys(rules).filter(
    (path) =>
      rules[path]?.isStaged === true &&
      changesAt(declared).has(path) &&
      !same(ruleFor(rules, path), atPath(before, path), atPath(found, path)),
  );
  if (applies.length === 0) return undefined;
  const reason = `${applies.join(", ")} has changed, and may not be in effect`;
  return { step: "update", stage: "failed", operations: [], applies, reason };
}
