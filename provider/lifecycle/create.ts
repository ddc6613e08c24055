import { changesAt, declaredPaths, differences } from "../kind/differences";
import { ruleFor } from "../kind/field-rules";
import type { CreationRecord } from "../kind/mutation";
import type { Values } from "../kind/values";
import type { Adoption } from "./adoption";
import type { CreateCall } from "./create-call";
import { goneError, missingAfterCreate, nothingDone } from "./failure";
import { partialFailure } from "./partial-failure";
import type { Recovery } from "./recovery";
import type { KindRuntime } from "./runtime";
import { withoutHidden } from "./state";
import { storedOutputs } from "./stored-outputs";

/** An id in state and the outputs to store. */
export interface Created {
  readonly id: string;
  readonly outputs: Values;
}

/** Adopts the object that the program names, or recovers one that an interrupted run created, or creates a new one. */
export async function create<Inputs, Outputs extends object>(
  runtime: KindRuntime<Inputs, Outputs>,
  adoption: Adoption<Inputs, Outputs>,
  recovery: Recovery<Inputs, Outputs>,
  given: Values,
): Promise<Created> {
  const call = createCall(runtime, given);
  const { context, inputs } = call;
  try {
    return await context.withLock(runtime.lockOf(inputs), `create ${runtime.titleOf(inputs)}`, async () => {
      const adopted = await adoption.adopt(call);
      const interrupted = adopted === undefined ? await recovery.interrupted(call) : [];
      const existing = adopted ?? (await recovery.recover(call, interrupted));
      if (existing !== undefined) {
        adoption.assertPartsFree(existing, changesAt(declaredPaths(runtime.kind, inputs)), call.urn);
        return await stored(runtime, call, await applyInputs(runtime, call, existing));
      }
      const created = await createObject(runtime, adoption, call, recovery.record(call, interrupted));
      await adoption.warnOfCandidates(call, runtime.kind.id(created));
      await recovery.warnOfOrphans(call);
      return await stored(runtime, call, created);
    });
  } catch (error) {
    throw await createFailure(runtime, call, error);
  }
}

function createCall<Inputs, Outputs extends object>(
  runtime: KindRuntime<Inputs, Outputs>,
  given: Values,
): CreateCall<Inputs> {
  const inputs = withoutHidden(given);
  const hidden = runtime.hiddenOf(given);
  const context = runtime.context({ verb: "create", hidden, project: runtime.projectOf(inputs) });
  const { fingerprint: account } = runtime.account();
  const isApplied = (path: string): boolean => ruleFor(runtime.kind.rules, path).platform !== "unaware";
  context.progress.want(declaredPaths(runtime.kind, inputs).filter(isApplied));
  return { context, hidden, urn: hidden.urn, account, inputs, parsed: runtime.kind.inputs.parse(inputs) };
}

/** Creates a new object and reads it. */
async function createObject<Inputs, Outputs extends object>(
  runtime: KindRuntime<Inputs, Outputs>,
  adoption: Adoption<Inputs, Outputs>,
  call: CreateCall<Inputs>,
  record: CreationRecord<Outputs>,
): Promise<Outputs> {
  const { kind, services } = runtime;
  const context = call.context.recording(record);
  const { progress } = context;
  const created = await kind.create(context, call.parsed).catch(async (error: unknown) => {
    if (progress.accepted) throw error;
    services.journal.abandon(record.creationId);
    throw await adoption.conflict(call, error);
  });
  await kind.complete?.(context, created.outputs);
  const outputs = await runtime.read(context, { ...created.outputs, ...progress.learned });
  if (outputs === undefined) throw missingAfterCreate(kind, created.id);
  return outputs;
}

/** Applies the declared inputs to an object that was adopted or recovered. */
async function applyInputs<Inputs, Outputs extends object>(
  runtime: KindRuntime<Inputs, Outputs>,
  { context, inputs, parsed }: CreateCall<Inputs>,
  present: Outputs,
): Promise<Outputs> {
  const { kind } = runtime;
  const changed = differences(kind, present as Values, [], inputs).filter((path) => {
    const { onChange, platform } = ruleFor(kind.rules, path);
    return onChange !== "replace" && platform !== "unaware";
  });
  if (changed.length === 0) return present;
  await kind.update(context, present, parsed, changesAt(changed));
  const outputs = await runtime.read(context, { ...present, ...context.progress.learned });
  if (outputs === undefined) throw goneError(kind, kind.id(present));
  return outputs;
}

/** The object as the engine is to store it. */
async function stored<Inputs, Outputs extends object>(
  runtime: KindRuntime<Inputs, Outputs>,
  { context, urn, hidden, inputs }: CreateCall<Inputs>,
  outputs: Outputs,
): Promise<Created> {
  const { kind, services } = runtime;
  const { id, creationId: attempt } = context.progress.object ?? { id: kind.id(outputs), creationId: undefined };
  runtime.claim(urn, outputs, declaredPaths(kind, inputs));
  const owner = await runtime.ownerOf(context, outputs, undefined);
  if (attempt !== undefined) await services.journal.returned(attempt);
  return { id, outputs: storedOutputs(kind, outputs, inputs, { ...hidden, attempt, owner }) };
}

/** The error of a create: a partial failure if the platform has accepted anything. */
async function createFailure<Inputs, Outputs extends object>(
  runtime: KindRuntime<Inputs, Outputs>,
  { context, urn, hidden, inputs }: CreateCall<Inputs>,
  error: unknown,
): Promise<unknown> {
  const { kind, services } = runtime;
  const { accepted, object } = context.progress;
  if (!accepted || object === undefined) return nothingDone(error, "create");
  runtime.claim(urn, object.outputs as Outputs, declaredPaths(kind, inputs));
  if (object.creationId !== undefined) await services.journal.returned(object.creationId);
  return partialFailure(kind, context, object, inputs, { step: "create", hidden, declaredBefore: [] }, error);
}
