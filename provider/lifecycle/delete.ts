import { hasStatus } from "../../api/core/errors";
import type { Call } from "../call/call";
import { type KeptType, originOf, titleOf } from "../ownership/claim";
import { keyOf, leavingPlace, releaseName } from "./claims";
import { assertEmpty, untilSettled } from "./containment";
import { guardDeletion, otherOfSameId } from "./confirmed-read";
import { deleteFailed, notDeletable, otherNotDeleted } from "./errors";
import type { Values } from "../values";
import type { Hidden, State } from "./state";
import { type ServedKind, Work } from "./work";

/** How another resource has an object, as part of a sentence. */
const holding: Readonly<Record<KeptType, string>> = {
  wanted: "is about to adopt it",
  managed: "also manages it",
  adopted: "adopted it in this run",
  part: "declares it as a part",
};

/** Deletes the object. If the platform can never delete it on its own, it is removed from the state with a warning. */
export async function remove(served: ServedKind, call: Call, id: string, { outputs, hidden }: State): Promise<void> {
  const { kind, services } = served;
  const work = new Work(served, call, "change", { values: outputs, owner: hidden.owner });
  const key = keyOf(kind, outputs);
  // The create of a replacement can have adopted the same object that the engine deletes next.
  const [holder] = services.registry.claimsOfOtherOrigin(key, originOf(hidden));
  if (holder !== undefined) {
    work.warn(
      `The ${kind.noun} ${id} was removed from the Pulumi state but not deleted: ${titleOf(holder.urn)} ${holding[holder.as]}.`,
    );
    return;
  }
  const { containers } = services.registry;
  containers.reach(call.urn, "running");
  const loss = containers.lossOf(call.urn);
  const forget = (): void => {
    services.registry.release(key);
    containers.release(call.urn, key);
    releaseName(served, outputs);
    if (kind.repeats !== undefined) services.marks.end(id);
  };
  const undeletable = async (): Promise<string | undefined> =>
    hidden.creationId === undefined ? await kind.undeletable?.(work, outputs) : undefined;
  const removeUnless = async (reason: string | undefined): Promise<void> => {
    const other = await otherOfSameId(work, outputs);
    if (other !== undefined) work.warn(otherNotDeleted(kind, outputs, other));
    else if (reason !== undefined) work.warn(released(reason));
    else {
      assertEmpty(work, outputs);
      guardDeletion(work, outputs);
      await kind.remove(work, outputs).catch((error: unknown) => releaseIfLeft(work, outputs, hidden, error));
    }
    forget();
  };
  try {
    if (loss !== undefined) await untilSettled(work, outputs);
    if (loss?.isEmptied === true) {
      // The object that now has this id came with the change that deleted the old one.
      forget();
      return;
    }
    const isRemoved = await work.withLock("delete", outputs, async () => {
      if ((await undeletable()) !== undefined) return false;
      await removeUnless(undefined);
      return true;
    });
    // The call that waits for the lock can be the delete of a part of this object.
    if (!isRemoved) await work.withLock("delete", outputs, async () => removeUnless(await undeletable()));
  } catch (error) {
    containers.reach(call.urn, "failed");
    throw deleteFailed(kind, id, work.progress.pending !== undefined, error);
  }
}

function released(reason: string): string {
  return `${reason} Pulumi only removes it from the state.`;
}

/**
 * Removes an object from the state that the platform refuses to delete: because a requirement of the kind is missing,
 * or because something outside of the program depends on it while its branch or project is deleted, too. A replaced
 * object stays, because its successor would be refused as well.
 */
async function releaseIfLeft(
  work: Work,
  outputs: Values,
  { containers = {} }: Partial<Hidden>,
  error: unknown,
): Promise<void> {
  const { kind, services, call } = work;
  const { precondition } = kind;
  const isRefused = [error, error instanceof Error && error.cause].some((one) => hasStatus(one, 409, 412, 422));
  if (!isRefused || services.registry.isDeclared(call.urn)) throw error;
  if (precondition?.remains !== undefined && !(await work.meets(precondition))) {
    work.warn(released(notDeletable(kind, precondition, outputs)));
    return;
  }
  const place = leavingPlace(work, outputs, Object.keys(containers));
  const reason = place === undefined ? undefined : await kind.heldBy?.(work, outputs);
  if (place === undefined || reason === undefined) throw error;
  work.warn(released(`${reason} It goes with its ${place.toLowerCase()}.`));
}
