import { NeonError } from "../../api/errors";
import { isSecretOnce } from "../kind/kind";
import type { Values } from "../kind/values";
import { type KeptClaim, type KeptType, titleOf } from "../ownership/claim";
import { isDenied, isOfExchange, nothingDone } from "./failure";
import type { KindRuntime } from "./runtime";
import { entryOf, parseState, type State } from "./state";

/** How another resource holds an object, in a sentence. */
const holding: Readonly<Record<KeptType, string>> = {
  managed: "also manages it",
  adopted: "adopted it in this run",
  part: "declares it as a part",
};

/** Deletes the object. One that the platform can never delete by itself is removed from the state with a warning. */
export async function remove(runtime: KindRuntime, id: string, stored: Values): Promise<void> {
  const { kind, services } = runtime;
  const { renamedUrns, registry, journal } = services;
  const state = parseState(kind, id, stored);
  const { hidden, outputs } = state;
  const { urn = "", owner } = hidden;
  await runtime.settle(state);
  const row = { ...hidden, urn: renamedUrns.rowOf(urn, id) };
  const project = runtime.projectOf(outputs);
  const context = runtime.context({ verb: "delete", hidden: row, project, owner, entry: entryOf(hidden) });
  const holder = holderOf(runtime, outputs, hidden);
  if (holder !== undefined) {
    context.warn(
      `The ${kind.noun} ${id} was removed from the Pulumi state but not deleted: ${titleOf(holder.urn)} ${holding[holder.as]}.`,
    );
    return;
  }
  try {
    await context.withLock(runtime.lockOf(outputs), `delete ${runtime.titleOf(outputs)}`, async () => {
      const isCreatedHere = hidden.attempt !== undefined;
      const reason = isCreatedHere ? undefined : await kind.undeletable?.(context, outputs);
      if (reason === undefined) await kind.remove(context, outputs);
      else context.warn(`${reason} It was removed from the Pulumi state but not deleted.`);
      registry.release({ kind: kind.name, id: kind.id(outputs) });
      await journal.settleChangesOf(id).catch(() => undefined);
      renamedUrns.forget(urn, id);
    });
  } catch (error) {
    throw deleteFailure(error, context.progress.accepted, `The ${kind.noun} ${id} stays in the state.`);
  }
}

/**
 * The claim that deleting this object would violate: of another resource, or of another entry of the state. The state can hold
 * an object twice, after a failed run that was to delete what a resource has adopted.
 */
function holderOf(
  { kind, services }: KindRuntime,
  outputs: Values,
  hidden: State["hidden"],
): Pick<KeptClaim, "urn" | "as"> | undefined {
  const { urn = "" } = hidden;
  const entry = entryOf(hidden);
  const key = { kind: kind.name, id: kind.id(outputs) };
  const claim = services.registry.claimsTo(key).find((claim) => {
    const isSame = (claim.urn === urn || claim.stateUrn === urn) && claim.entry === entry;
    // A forced replacement (`--replace`, a taint) tells the provider nothing about the old object. Its create can adopt
    // the very object that the engine deletes next.
    return !isSame || (claim.as === "adopted" && claim.urn === urn);
  });
  // Of two entries that this run deletes, the last one has the object.
  services.savedStates.deletes(urn, entry);
  // Ids of keys are numbers, which two services of a program can have in common.
  if (claim !== undefined || isSecretOnce(kind)) return claim;
  // Another provider process may have adopted it whose claims cannot be seen: the engine has saved its result before. An object
  // that is replaced is deleted in any case: another entry that it already had is not declared, or claims it.
  const { savedStates, registry } = services;
  const entries = registry.declares(urn)
    ? savedStates.newOwnEntriesOf(urn, entry, key)
    : savedStates.ownEntriesOf(urn, entry, key);
  return entries.find(({ storedUrn, number, isToBeDeleted }) => {
    const isSame = number === undefined || entry === undefined ? storedUrn === urn : number === entry;
    return !isSame && !isToBeDeleted;
  });
}

/** A delete that the platform accepted and that may not have succeeded says what to do and what the state holds. */
function deleteFailure(error: unknown, accepted: boolean, state: string): unknown {
  const isOfOperation = NeonError.isInstance(error) && error.kind.startsWith("operation-");
  if (!isOfOperation && !accepted) return nothingDone(error, "delete");
  if (!isOfOperation && !isOfExchange(error)) return error;
  const next = isDenied(error) ? "" : "Run the same command again.";
  return new Error(error.describe({ state, next }), { cause: error });
}
