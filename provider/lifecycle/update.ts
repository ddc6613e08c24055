import type { Call } from "../call/call";
import { assertNotOvertaken } from "../call/change";
import type { Pending } from "../call/pending-work";
import type { CallObject } from "../call/progress";
import { changesAt, declaredPaths, differences } from "../kind/differences";
import { projectOf } from "../kind/kind";
import { atPath, type Values } from "../values";
import { confirmedRead, guardObject, isGone } from "./confirmed-read";
import { assertPartsFree, claimManaged } from "./claims";
import { generationAfter, settle } from "./containment";
import { GoneError, nothingDone } from "./errors";
import { completeInputs } from "./lost-inputs";
import { partialFailure } from "./partial-failure";
import { settledWork } from "./repeated";
import { resume } from "./resume";
import { warnOfOtherValues } from "./stored-otherwise";
import { type State, storedState, type Stored, withDeclared, withDefaults } from "./state";
import { type ServedKind, Work } from "./work";

/** Applies the changes, after resuming unfinished work of an earlier call. Returns what the state stores. */
export async function update(served: ServedKind, call: Call, id: string, state: State, given: Values): Promise<Stored> {
  const { kind } = served;
  const { outputs: before, hidden } = state;
  const { pending, creationId, adoptionId, owner } = hidden;
  const { declaredBefore } = call;
  const inputs = completeInputs(served, call, given, false);
  const declared = declaredPaths(kind, inputs);
  const wanted = withDefaults(kind, hidden, inputs);
  const work = new Work(served, call, "change", {
    ...hidden,
    values: { ...before, ...inputs },
    stored: before,
  });
  const { progress } = work;
  const object = { id, outputs: before, creationId, adoptionId };
  progress.object = object;
  progress.wanted = differences(kind, before, declaredBefore, wanted);
  const { containers } = served.services.registry;
  containers.reach(call.urn, "running");
  try {
    // Resuming only waits, so it needs no lock: several resources of a project can resume at once.
    const succeeded = pending === undefined || (await resume(work, pending, projectOf(kind, before)));
    const settled = await settledWork(work, id, before);
    progress.object = { ...object, outputs: settled };
    return await work.withLock("update", before, async () => {
      const present =
        pending === undefined ? settled : await afterResume(work, { ...object, outputs: settled }, pending, succeeded);
      const changed = [...differences(kind, present, declaredBefore, wanted), ...progress.unapplied];
      progress.wanted = changed;
      assertPartsFree(work, present, changesAt(declared));
      guardObject(work, present);
      work.generation = generationAfter(served, { outputs: present, hidden }, inputs, changed);
      if (changed.length > 0) {
        await assertNotOvertaken(work);
        await kind.update?.(work, present, wanted, changesAt(changed));
      }
      // Runs after the update, because the program may have corrected the cause of the failed creation.
      if (pending?.step === "create") await kind.finishing?.complete?.(work, progress.object?.outputs ?? present);
      const outputs = await confirmedRead(work, progress.object?.outputs ?? present);
      if (outputs === undefined) throw new GoneError(kind, id);
      claimManaged(work, outputs, hidden, declared);
      warnOfOtherValues(work, outputs, inputs);
      const ownerNow = await work.ownerOf(outputs, owner);
      settle(work, outputs, { creationId, generation: work.generation });
      return storedState(work, outputs, inputs, hidden, ownerNow);
    });
  } catch (error) {
    containers.reach(call.urn, "failed");
    if (error instanceof GoneError) throw error;
    if (await isGone(work, error)) throw new GoneError(kind, id, error);
    if (progress.pending === undefined) throw nothingDone(kind, error, "update");
    throw await partialFailure(work, inputs, { step: pending?.step ?? "update", declaredBefore, owner }, error);
  }
}

/** The outputs of an object after the operations of an earlier call have ended. */
async function afterResume(work: Work, before: CallObject, pending: Pending, succeeded: boolean): Promise<Values> {
  const { kind, call, progress } = work;
  const actual = await confirmedRead(work, before.outputs);
  if (actual === undefined) throw new GoneError(kind, before.id);
  const outputs = withDeclared(kind, call.declaredBefore, (path) => atPath(before.outputs, path), actual);
  progress.object = { ...before, outputs };
  if (!succeeded) await work.repair(pending.step, pending.reason);
  return progress.object.outputs;
}
