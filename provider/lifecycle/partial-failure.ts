import { describeError, messageOf, summaryOf } from "../../api/errors";
import type { Context } from "../kind/context";
import { changesAt } from "../kind/differences";
import { ruleFor } from "../kind/field-rules";
import type { AnyKind } from "../kind/kind";
import type { Pending } from "../kind/pending-work";
import type { CallObject } from "../kind/progress";
import { atPath, type Values } from "../kind/values";
import { isDenied } from "./failure";
import { type SavedHidden, storedOutputs } from "./stored-outputs";

/** A change failed after the platform had accepted it: the object exists, and the next call resumes. */
export class PartialFailure extends Error {
  readonly resourceId: string;
  readonly #outputs: Values;

  constructor(resourceId: string, outputs: Values, cause: unknown) {
    super(messageOf(cause), { cause });
    this.resourceId = resourceId;
    this.#outputs = outputs;
  }

  /** An accessor, because the outputs hold secrets: printing the error does not print them. */
  get outputs(): Values {
    return this.#outputs;
  }
}

/** What a call was doing when it failed. */
interface UnfinishedCall {
  readonly step: Pending["step"];
  readonly hidden: Omit<SavedHidden, "attempt" | "adoption">;
  readonly declaredBefore: readonly string[];
}

/** The failure of a call after the platform has accepted something, with what the state is to store. */
export async function partialFailure(
  kind: AnyKind,
  context: Context,
  object: CallObject,
  inputs: Values,
  { step, hidden, declaredBefore }: UnfinishedCall,
  error: unknown,
): Promise<PartialFailure> {
  const { progress } = context;
  const { id, outputs: before, creationId: attempt, adoption } = object;
  const known = { ...before, ...progress.learned };
  const outputs = isDenied(error) ? known : ((await kind.read(context, known).catch(() => undefined)) ?? known);
  const isBroken =
    step === "create" &&
    progress.operationFailed &&
    kind.usable !== undefined &&
    !(await kind.usable(context, outputs).catch(() => true));
  const pending: Pending = {
    step,
    ...progress.unfinished,
    reason: summaryOf(error),
    ...(isBroken ? { broken: true } : {}),
  };
  const next = isBroken
    ? `The ${kind.noun} ${id} never became usable. The next \`pulumi up\` replaces it.`
    : "The next `pulumi up` resumes from here.";
  const wantedHere = changesAt(progress.wanted);
  // What the platform does not report, or changes by itself, counts as applied only if this call has applied it.
  const valueAt = (path: string): unknown => {
    const { platform, onChange } = ruleFor(kind.rules, path);
    const isUndone = wantedHere.has(path) && !progress.applied.has(path);
    if (isUndone && platform === "unaware") return atPath(known, path);
    return isUndone && platform === "moves" && onChange !== "replace" ? undefined : atPath(inputs, path);
  };
  const { changeNumber: change } = progress;
  return new PartialFailure(
    id,
    storedOutputs(
      kind,
      outputs,
      inputs,
      { ...hidden, attempt, adoption },
      { change, pending, declaredBefore, valueAt },
    ),
    new Error(describeError(error, { next }), { cause: error }),
  );
}
