import { describeError, summaryOf } from "../../api/core/errors";
import type { Pending } from "../call/pending-work";
import type { Owner } from "../call/visibility";
import { changesAt } from "../kind/differences";
import { ruleFor } from "../kind/field-rules";
import type { AnyKind } from "../kind/kind";
import { atPath, type Values } from "../values";
import { readSame } from "./confirmed-read";
import { isDenied } from "./errors";
import { storedState, type Stored } from "./state";
import type { Work } from "./work";

/** A change failed after the platform had accepted it. The object exists, and the next call resumes. */
export class PartialFailure extends Error {
  readonly resourceId: string;
  readonly #stored: Stored;

  constructor({ noun, repeats }: AnyKind, id: string, stored: Stored, cause: unknown) {
    const next =
      stored.hidden.pending?.broken === true
        ? `The ${noun} ${id} never became usable. The next \`pulumi up\` replaces it.`
        : (repeats?.next ?? "The next `pulumi up` resumes from here.");
    super(describeError(cause, { next }), { cause });
    this.resourceId = id;
    this.#stored = stored;
  }

  /** This is an accessor because the outputs hold secrets, which printing the error must not show. */
  get stored(): Stored {
    return this.#stored;
  }
}

/** The call that failed. */
interface UnfinishedCall {
  readonly step: Pending["step"];
  readonly declaredBefore: readonly string[];
  readonly owner: Owner | undefined;
}

/**
 * Builds the error of a call that failed after the platform accepted something. It holds the object as it is now, for
 * the state.
 */
export async function partialFailure(
  work: Work,
  inputs: Values,
  { step, declaredBefore, owner }: UnfinishedCall,
  error: unknown,
): Promise<unknown> {
  const { kind } = work;
  const { object, pending: unfinished, wanted, applied } = work.progress;
  if (object === undefined || unfinished === undefined) return error;
  const { id, outputs: known } = object;
  const outputs = isDenied(error) ? known : ((await readSame(work, known).catch(() => undefined)) ?? known);
  const usable = kind.finishing?.usable;
  const isBroken =
    step === "create" &&
    unfinished.stage === "failed" &&
    usable !== undefined &&
    !(await usable(work, outputs).catch(() => true));
  const pending: Pending = { ...unfinished, step, reason: summaryOf(error), ...(isBroken ? { broken: true } : {}) };
  const wantedHere = changesAt(wanted);
  // A value that the platform does not report, or that it changes by itself, counts as applied only if this call has
  // applied it.
  const valueAt = (path: string): unknown => {
    const { platform, onChange } = ruleFor(kind.rules, path);
    const isUndone = wantedHere.has(path) && !applied.has(path);
    if (isUndone && platform === "unaware") return atPath(known, path);
    return isUndone && platform === "moves" && onChange !== "replace" ? undefined : atPath(inputs, path);
  };
  const stored = storedState(work, outputs, inputs, object, owner, { pending, declaredBefore, valueAt });
  return new PartialFailure(kind, id, stored, error);
}
