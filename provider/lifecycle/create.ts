import type { Call } from "../call/call";
import { adjustments, changesAt, declaredPaths } from "../kind/differences";
import { ruleFor } from "../kind/field-rules";
import type { Origin } from "../ownership/claim";
import type { Values } from "../values";
import { confirmedRead } from "./confirmed-read";
import { adopt } from "./adoption";
import { assertPartsFree, claimManaged } from "./claims";
import { createObject } from "./create-object";
import { GoneError, nothingDone } from "./errors";
import { partialFailure } from "./partial-failure";
import { interruptedCreations, recover, warnOfOrphans } from "./recovery";
import { storedState, type Stored } from "./state";
import { warnOfOtherValues } from "./stored-otherwise";
import { CreateWork, type ServedKind } from "./work";

/** Adopts the object that the program names, or recovers one that an interrupted run created, or creates a new one. */
export async function create(served: ServedKind, call: Call, given: Values): Promise<Stored & { readonly id: string }> {
  const work = new CreateWork(served, call, given);
  const { kind, context, inputs } = work;
  const declared = declaredPaths(kind, inputs);
  context.progress.wanted = declared.filter((path) => ruleFor(kind.rules, path).platform !== "unaware");
  try {
    return await work.withLock("create", inputs, async () => {
      const interrupted = await interruptedCreations(work);
      const existing = (await adopt(work)) ?? (await recover(work, interrupted));
      if (existing === undefined) {
        const created = await createObject(work, interrupted);
        await warnOfOrphans(work);
        return await stored(work, created);
      }
      assertPartsFree(work, existing, changesAt(declared));
      return await stored(work, await applyInputs(work, existing));
    });
  } catch (error) {
    const { object, pending } = context.progress;
    if (pending === undefined || object === undefined) throw nothingDone(error, "create");
    await handOver(work, object.outputs);
    throw await partialFailure(work, inputs, { step: "create", declaredBefore: [], owner: undefined }, error);
  }
}

/** Applies the declared inputs to an object that was adopted or recovered. */
async function applyInputs(work: CreateWork, present: Values): Promise<Values> {
  const { kind, context, inputs } = work;
  const notInEffect = (kind.finishing?.notInEffect?.(present) ?? []).filter((path) => inputs[path] !== undefined);
  const changed = [...adjustments(kind, present, inputs), ...notInEffect];
  if (changed.length === 0) return present;
  await kind.update?.(context, present, inputs, changesAt(changed));
  const outputs = await confirmedRead(work, context.progress.object?.outputs ?? present);
  if (outputs === undefined) throw new GoneError(kind, kind.id(present));
  return outputs;
}

async function stored(work: CreateWork, outputs: Values): Promise<Stored & { readonly id: string }> {
  const { kind, context, inputs } = work;
  const { object } = context.progress;
  const owner = await work.ownerOf(outputs, undefined);
  await handOver(work, outputs);
  warnOfOtherValues(work, outputs, inputs);
  return { id: object?.id ?? kind.id(outputs), ...storedState(kind, outputs, inputs, object ?? {}, owner) };
}

/** From now on, the object is the engine's: nothing in this run takes it, and no later run recovers it. */
async function handOver(work: CreateWork, outputs: Values): Promise<void> {
  const origin: Origin = work.context.progress.object ?? {};
  claimManaged(work, outputs, origin, declaredPaths(work.kind, work.inputs));
  if (origin.creationId !== undefined) await work.services.journal.returned(origin.creationId);
}
