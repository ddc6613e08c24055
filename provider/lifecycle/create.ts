import { hasStatus, isConflict, messageOf, NeonError, withoutStop } from "../../api/core/errors";
import type { Call } from "../call/call";
import type { Creation } from "../kind/creation";
import { adjustments, changesAt, declaredPaths } from "../kind/differences";
import { ruleFor } from "../kind/field-rules";
import type { AnyKind } from "../kind/kind";
import { uniqueInputs } from "../kind/natural-key";
import type { Origin } from "../ownership/claim";
import { newId } from "../ownership/ids";
import type { Values } from "../values";
import { confirmedRead } from "./confirmed-read";
import { assertPartsFree, claimManaged, claimName } from "./claims";
import { settle, untilSettled } from "./containment";
import { GoneError, missingAfterCreate, nothingDone } from "./errors";
import { type Existing, existing } from "./existing/existing";
import { asksOf, isAdopting, type Looked } from "./existing/facts";
import { takeOver } from "./existing/unfinished";
import type { Candidate } from "./existing/verdict";
import { ConflictError } from "./existing/words";
import { completeInputs } from "./lost-inputs";
import { partialFailure } from "./partial-failure";
import { SentCreation } from "./sent-creation";
import { storedState, type Stored } from "./state";
import { warnOfOtherValues } from "./stored-otherwise";
import { Work, type ServedKind } from "./work";

/** Adopts the object that the program names, or creates a new one. */
export async function create(served: ServedKind, call: Call, given: Values): Promise<Stored & { readonly id: string }> {
  const { kind, services } = served;
  const inputs = completeInputs(served, call, given, true);
  const work = new Work(served, call, "change", { values: given });
  const declared = declaredPaths(kind, inputs);
  work.progress.wanted = declared.filter((path) => ruleFor(kind.rules, path).platform !== "unaware");
  const adoptionId = newId();
  try {
    services.registry.containers.reach(call.urn, "running");
    await untilSettled(work, inputs);
    return await work.withLock("create", inputs, async () =>
      stored(work, inputs, await createOrAdopt(work, inputs, adoptionId)),
    );
  } catch (error) {
    services.registry.containers.reach(call.urn, "failed");
    const { object, pending } = work.progress;
    if (pending === undefined || object === undefined) {
      services.registry.withdraw(call.urn, adoptionId);
      throw nothingDone(kind, error, "create");
    }
    claim(work, inputs, object.outputs);
    throw await partialFailure(work, inputs, { step: "create", declaredBefore: [], owner: undefined }, error);
  }
}

async function createOrAdopt(work: Work, inputs: Values, adoptionId: string): Promise<Values> {
  const { kind, progress } = work;
  const asks = asksOf(work, inputs);
  if (uniqueInputs(kind, inputs).length > 0) claimName(work, inputs, adoptionId);
  const creation = kind.create(inputs, { orgId: work.orgId });
  const look = (looked: Looked, answer?: unknown): Promise<Existing> =>
    existing(work, inputs, { adoptionId, ...looked }, answer);
  const adopt = async ({ outputs }: Candidate): Promise<Values> =>
    applyInputs(work, inputs, await takeOver(work, outputs, adoptionId));
  const overwrites = creation.overwrites === true;
  const before = await look({ counted: overwrites ? "now" : "listed" }).catch((error: unknown) => {
    // If the platform refuses a second object, this read may fail. After a 401, the creation would be refused, too.
    if (isAdopting(asks) || overwrites || hasStatus(error, 401)) throw error;
    return unknownBeside(kind, error);
  });
  if (before.is === "adopt") return adopt(before.candidate);
  assertFree(work, before);
  try {
    return await createObject(work, inputs, creation, async () =>
      assertFree(work, await look({ asks: "nothing", counted: "now" })),
    );
  } catch (error) {
    const isRefused = isConflict(error);
    const isTaken = isRefused || (error instanceof ConflictError && isAdopting(asks));
    if (progress.pending !== undefined || !isTaken) throw error;
    // The object has appeared since this run listed what exists.
    const since = await look({ counted: "refused" }, error).catch((cause: unknown) => {
      throw NeonError.isInstance(cause) && cause.kind === "invalid" ? cause : error;
    });
    if (since.is === "adopt") return adopt(since.candidate);
    throw since.is === "refuse" && (isRefused || since.isAdoption) ? since.error : error;
  }
}

/**
 * Creates the object of a resource, and waits until it can be used.
 *
 * @param assertFree makes sure that no object has the natural key by now
 */
async function createObject(
  work: Work,
  inputs: Values,
  creation: Creation<Values>,
  assertFree: () => Promise<void>,
): Promise<Values> {
  const { kind, progress } = work;
  await new SentCreation(work, inputs, creation, assertFree).send().catch(async (error: unknown) => {
    throw progress.pending === undefined && creation.explain !== undefined
      ? await creation.explain(work, error)
      : error;
  });
  const known = (): Values => progress.object?.outputs ?? {};
  const declared = changesAt(declaredPaths(kind, inputs));
  const left = (creation.leaves ?? []).filter((path) => declared.has(path));
  if (left.length > 0) await kind.update?.(work, known(), inputs, changesAt(left));
  await kind.finishing?.complete?.(work, known());
  const outputs = await confirmedRead(work, known());
  if (outputs === undefined) throw missingAfterCreate(kind, kind.id(known()));
  return outputs;
}

function unknownBeside({ noun }: AnyKind, error: unknown): Existing {
  const text = `It is not known what else there is of this ${noun}: ${withoutStop(messageOf(error))}.`;
  return { is: "create", beside: [{ id: "", text }] };
}

function assertFree(work: Work, found: Existing): void {
  const { services, call } = work;
  if (found.is === "refuse") throw found.error;
  for (const { id, text } of found.is === "create" ? found.beside : []) {
    const key = `${call.urn} ${id}`;
    // The check in this process may already have shown this warning.
    if (!services.told.has(key)) work.warn(text);
    services.told.add(key);
  }
}

/** Applies the declared inputs to an adopted object. */
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
  settle(work, outputs, object ?? {});
  return { id: object?.id ?? work.kind.id(outputs), ...storedState(work, outputs, inputs, object ?? {}, owner) };
}

/** Claims the object for the resource: from now on, the engine manages it, and nothing else in this run takes it. */
function claim(work: Work, inputs: Values, outputs: Values): void {
  const origin: Origin = work.progress.object ?? {};
  claimManaged(work, outputs, origin, declaredPaths(work.kind, inputs));
}
