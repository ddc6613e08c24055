import { changesAt, declaredPaths, differences } from "../kind/differences";
import { ruleFor } from "../kind/field-rules";
import type { CreationRecord } from "../kind/mutation";
import type { Values } from "../kind/values";
import type { CreateCall } from "./create-call";
import { creationRecord } from "./creation-record";
import { GoneError, missingAfterCreate, nothingDone } from "./failure";
import { partialFailure } from "./partial-failure";
import type { KindRuntime } from "./runtime";
import { entryOf, withoutHidden } from "./state";
import { storedOutputs } from "./stored-outputs";

export interface Created {
  readonly id: string;
  readonly outputs: Values;
}

/** Adopts the object that the program names, or recovers one that an interrupted run created, or creates a new one. */
export async function create(runtime: KindRuntime, given: Values): Promise<Created> {
  const { adoption, recovery } = runtime;
  const call = createCall(runtime, given);
  const { context, inputs } = call;
  try {
    return await context.withLock(runtime.lockOf(inputs), `create ${runtime.titleOf(inputs)}`, async () => {
      const interrupted = await recovery.interrupted(call);
      const existing = (await adoption.adopt(call)) ?? (await recovery.recover(call, interrupted));
      if (existing !== undefined) {
        adoption.assertPartsFree(existing, changesAt(declaredPaths(runtime.kind, inputs)), call.urn);
        return await stored(runtime, call, await applyInputs(runtime, call, existing));
      }
      const created = await createObject(runtime, call, creationRecord(runtime, call, interrupted));
      await recovery.warnOfOrphans(call);
      return await stored(runtime, call, created);
    });
  } catch (error) {
    throw await createFailure(runtime, call, error);
  }
}

function createCall(runtime: KindRuntime, given: Values): CreateCall {
  const inputs = withoutHidden(given);
  const hidden = runtime.hiddenOf(given);
  const context = runtime.context({ verb: "create", hidden, project: runtime.projectOf(inputs) });
  const { fingerprint: account } = runtime.account();
  const isApplied = (path: string): boolean => ruleFor(runtime.kind.rules, path).platform !== "unaware";
  context.progress.wanted = declaredPaths(runtime.kind, inputs).filter(isApplied);
  return { context, hidden, urn: hidden.urn, account, inputs, parsed: runtime.kind.inputs.parse(inputs) };
}

async function createObject(runtime: KindRuntime, call: CreateCall, record: CreationRecord): Promise<Values> {
  const { kind, services, adoption } = runtime;
  const context = call.context.recording(record);
  const { progress } = context;
  const created = await kind.create(context, call.parsed).catch(async (error: unknown) => {
    if (progress.accepted) throw error;
    services.journal.abandon(record.creationId);
    throw await adoption.conflict(call, error);
  });
  await kind.complete?.(context, created);
  const known = { ...created, ...progress.learned };
  const reading = runtime.read(context, known);
  // The warning comes before the call ends, also if the read fails.
  await Promise.allSettled([reading, adoption.warnOfCandidates(call, known)]);
  const outputs = await reading;
  if (outputs === undefined) throw missingAfterCreate(kind, kind.id(created));
  return outputs;
}

/** Applies the declared inputs to an object that was adopted or recovered. */
async function applyInputs(
  runtime: KindRuntime,
  { context, inputs, parsed }: CreateCall,
  present: Values,
): Promise<Values> {
  const { kind } = runtime;
  const changed = differences(kind, present, [], inputs).filter((path) => {
    const { onChange, platform } = ruleFor(kind.rules, path);
    return onChange !== "replace" && platform !== "unaware";
  });
  if (changed.length === 0) return present;
  await kind.update?.(context, present, parsed, changesAt(changed));
  const outputs = await runtime.read(context, { ...present, ...context.progress.learned });
  if (outputs === undefined) throw new GoneError(kind, kind.id(present));
  return outputs;
}

async function stored(
  runtime: KindRuntime,
  { context, urn, hidden, inputs }: CreateCall,
  outputs: Values,
): Promise<Created> {
  const { kind, services } = runtime;
  const { id = kind.id(outputs), creationId: attempt, adoption } = context.progress.object ?? {};
  runtime.claim({ urn, entry: entryOf({ attempt, adoption }) }, outputs, declaredPaths(kind, inputs));
  const owner = await runtime.ownerOf(context, outputs, undefined);
  if (attempt !== undefined) await services.journal.returned(attempt);
  return { id, outputs: storedOutputs(kind, outputs, inputs, { ...hidden, attempt, adoption, owner }) };
}

/** The error of a create: a partial failure if the platform has accepted anything. */
async function createFailure(
  runtime: KindRuntime,
  { context, urn, hidden, inputs }: CreateCall,
  error: unknown,
): Promise<unknown> {
  const { kind, services } = runtime;
  const { accepted, object } = context.progress;
  if (!accepted || object === undefined) return nothingDone(error, "create");
  const entry = entryOf({ attempt: object.creationId, adoption: object.adoption });
  runtime.claim({ urn, entry }, object.outputs, declaredPaths(kind, inputs));
  if (object.creationId !== undefined) await services.journal.returned(object.creationId);
  return partialFailure(kind, context, object, inputs, { step: "create", hidden, declaredBefore: [] }, error);
}
