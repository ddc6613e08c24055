import { isNotFound, NeonError } from "../../api/errors";
import type { Context } from "../kind/context";
import { changesAt, declaredPaths, differences } from "../kind/differences";
import type { Pending } from "../kind/pending-work";
import { atPath, type Values } from "../kind/values";
import { GoneError, nothingDone, repair } from "./failure";
import { partialFailure } from "./partial-failure";
import type { KindRuntime } from "./runtime";
import { entryOf, parseState, type State, withoutHidden } from "./state";
import { storedOutputs, withDeclared } from "./stored-outputs";

/** Applies what changed, after resuming what an earlier call left unfinished. Returns the outputs to store. */
export async function update(runtime: KindRuntime, id: string, stored: Values, given: Values): Promise<Values> {
  const { kind } = runtime;
  const state = parseState(kind, id, stored);
  const { pending, attempt, adoption, owner, declared = [] } = state.hidden;
  const hidden = runtime.hiddenOf(given);
  const inputs = withoutHidden(given);
  await runtime.settle(state);
  const project = runtime.projectOf(state.outputs);
  const context = runtime.context({ verb: "update", hidden, project, owner, entry: entryOf(state.hidden) });
  const { progress } = context;
  progress.object = { id, outputs: state.outputs, creationId: attempt, adoption };
  progress.wanted = differences(kind, state.outputs, declared, inputs);
  try {
    // Waiting changes nothing, so it needs no lock: several resources of a project can resume at once.
    const succeeded = pending === undefined || (await context.resume(pending, project));
    return await context.withLock(runtime.lockOf(state.outputs), `update ${runtime.titleOf(inputs)}`, async () => {
      const present =
        pending === undefined ? state.outputs : await afterResume(runtime, context, id, state, pending, succeeded);
      const changed = [
        ...differences(kind, present, declared, inputs),
        ...(pending === undefined || succeeded ? [] : pending.applies),
      ];
      progress.object = { id, outputs: present, creationId: attempt, adoption };
      progress.wanted = changed;
      runtime.adoption.assertPartsFree(present, changesAt(declaredPaths(kind, inputs)), hidden.urn);
      await kind.update?.(context, present, kind.inputs.parse(inputs), changesAt(changed));
      const outputs = await runtime.read(context, { ...present, ...progress.learned });
      if (outputs === undefined) throw new GoneError(kind, id);
      runtime.claim({ urn: hidden.urn, entry: entryOf(state.hidden) }, outputs, declaredPaths(kind, inputs));
      const saved = { ...hidden, attempt, adoption, owner: await runtime.ownerOf(context, outputs, owner) };
      return storedOutputs(kind, outputs, inputs, saved, { change: progress.changeNumber });
    });
  } catch (error) {
    if (error instanceof GoneError) throw error;
    if (await isGone(runtime, context, error)) throw new GoneError(kind, id, error);
    const { accepted, object } = progress;
    if (!accepted) throw nothingDone(error, "update");
    const unfinished = { step: pending?.step ?? "update", hidden: { ...hidden, owner }, declaredBefore: declared };
    throw await partialFailure(kind, context, object, inputs, unfinished, error);
  }
}

/** The outputs of an object when the operations that an earlier call has left have ended. */
async function afterResume(
  runtime: KindRuntime,
  context: Context,
  id: string,
  { hidden, outputs: before }: State,
  pending: Pending,
  succeeded: boolean,
): Promise<Values> {
  const { kind } = runtime;
  const actual = await runtime.read(context, before);
  if (actual === undefined) throw new GoneError(kind, id);
  const valueAt = (path: string): unknown => atPath(before, path);
  const present = withDeclared(kind, hidden.declared ?? [], valueAt, actual);
  context.progress.object = { id, outputs: present, creationId: hidden.attempt, adoption: hidden.adoption };
  if (!succeeded) await repair(kind, context, present, pending.step, pending.reason);
  if (pending.step !== "create") return present;
  await kind.complete?.(context, present);
  return { ...present, ...context.progress.learned };
}

/** Whether a call failed because the object is gone. */
async function isGone({ kind }: KindRuntime, context: Context, error: unknown): Promise<boolean> {
  if (!isNotFound(error)) return false;
  const { outputs = {} } = context.progress.object ?? {};
  const found = await kind.read(context, outputs).catch((cause: unknown) => {
    // This key cannot see what the object belongs to.
    if (NeonError.isInstance(cause) && cause.kind === "invalid") throw cause;
    return outputs;
  });
  if (found !== undefined) return false;
  await context.assertVisible();
  return true;
}
