import type { Call } from "../call/call";
import { adjustments, changesAt, declaredPaths } from "../kind/differences";
import { ruleFor } from "../kind/field-rules";
import { uniqueInputs } from "../kind/natural-key";
import type { Origin } from "../ownership/claim";
import { newId } from "../ownership/ids";
import type { Values } from "../values";
import { confirmedRead } from "./confirmed-read";
import { assertPartsFree, claimManaged, claimName } from "./claims";
import { createObject } from "./create-object";
import { GoneError, nothingDone } from "./errors";
import { adopt, wantedAdoption } from "./existing/adopt";
import { ConflictError } from "./existing/messages";
import { completeInputs } from "./lost-inputs";
import { partialFailure } from "./partial-failure";
import { storedState, type Stored } from "./state";
import { warnOfOtherValues } from "./stored-otherwise";
import { Work, type ServedKind } from "./work";

/** Adopts the object that the program names, or creates a new one. */
export async function create(served: ServedKind, call: Call, given: Values): Promise<Stored & { readonly id: string }> {
  const { kind } = served;
  const inputs = completeInputs(served, call, given, true);
  const work = new Work(served, call, "change", { values: given });
  const declared = declaredPaths(kind, inputs);
  work.progress.wanted = declared.filter((path) => ruleFor(kind.rules, path).platform !== "unaware");
  const adoptionId = newId();
  try {
    return await work.withLock("create", inputs, async () =>
      stored(work, inputs, await createOrAdopt(work, inputs, adoptionId)),
    );
  } catch (error) {
    const { object, pending } = work.progress;
    if (pending === undefined || object === undefined) {
      served.services.registry.withdraw(call.urn, adoptionId);
      throw nothingDone(kind, error, "create");
    }
    claim(work, inputs, object.outputs);
    throw await partialFailure(work, inputs, { step: "create", declaredBefore: [], owner: undefined }, error);
  }
}

async function createOrAdopt(work: Work, inputs: Values, adoptionId: string): Promise<Values> {
  const wanted = wantedAdoption(work, inputs);
  if (uniqueInputs(work.kind, inputs).length > 0) claimName(work, inputs, adoptionId);
  const adopted = await adopt(work, inputs, wanted, { adoptionId });
  if (adopted !== undefined) return applyInputs(work, inputs, adopted);
  try {
    return await createObject(work, inputs);
  } catch (error) {
    // It has appeared since this run has listed what there is.
    const appeared =
      error instanceof ConflictError && wanted === true
        ? await adopt(work, inputs, wanted, { adoptionId, counted: "refused" })
        : undefined;
    if (appeared === undefined) throw error;
    return applyInputs(work, inputs, appeared);
  }
}

/** Applies the declared inputs to an object that was adopted. */
async function applyInputs(work: Work, inputs: Values, present: Values): Promise<Values> {
  const { kind } = work;
  assertPartsFree(work, present, changesAt(declaredPaths(kind, inputs)));
  const changed = adjustments(kind, present, inputs);
  if (changed.length === 0) return present;
  await kind.update?.(work, present, inputs, changesAt(changed));
  const outputs = await confirmedRead(work, work.progress.object?.outputs ?? present);
  if (outputs === undefined) throw new GoneError(kind, kind.id(present));
  return outputs;
}

async function stored(work: Work, inputs: Values, outputs: Values): Promise<Stored & { readonly id: string }> {
  const { object } = work.progress;
  const owner = await work.ownerOf(outputs, undefined);
  claim(work, inputs, outputs);
  warnOfOtherValues(work, outputs, inputs);
  return { id: object?.id ?? work.kind.id(outputs), ...storedState(work, outputs, inputs, object ?? {}, owner) };
}

/** From now on, the object is the engine's: nothing in this run takes it. */
function claim(work: Work, inputs: Values, outputs: Values): void {
  const origin: Origin = work.progress.object ?? {};
  claimManaged(work, outputs, origin, declaredPaths(work.kind, inputs));
}
