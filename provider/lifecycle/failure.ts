import { asSentence, hasStatus, isNotFound, NeonError, summaryOf } from "../../api/errors";
import type { Context } from "../kind/context";
import type { AnyKind } from "../kind/kind";
import type { Pending } from "../kind/pending-work";
import type { Values } from "../kind/values";

/** The effect of a call that failed before the platform accepted anything. */
const unchanged = {
  create: "Nothing was created.",
  update: "Nothing was changed.",
  read: "The state was not changed.",
  delete: "Nothing was deleted.",
} as const;

/** Adds to the error of a call before whose failure nothing was accepted that nothing has changed. */
export function nothingDone(error: unknown, verb: keyof typeof unchanged): unknown {
  if (!isOfExchange(error) || isDenied(error)) return error;
  // A run that was killed before it recorded a deletion can have deleted what the object was to be created in.
  const isParentGone = verb === "create" && isNotFound(error);
  const next = isParentGone
    ? { next: "If the program declares the missing object, run `pulumi refresh` and then `pulumi up`." }
    : {};
  return new Error(error.describe({ state: unchanged[verb], ...next }), { cause: error });
}

/** Whether an error is about a request that only reads, or that was not performed. */
export function isOfExchange(error: unknown): error is NeonError {
  return NeonError.isInstance(error) && ["http", "unreachable", "unreadable"].includes(error.kind);
}

/** Whether the API key was refused: every other request would be, too. */
export function isDenied(error: unknown): boolean {
  return hasStatus(error, 401, 403);
}

/** The object in the state is gone: there is nothing to update. */
export class GoneError extends NeonError {
  constructor({ noun }: AnyKind, id: string, cause?: unknown) {
    const reason = cause === undefined ? "" : ` (${summaryOf(cause)})`;
    const fix = "Run `pulumi refresh`; the next `pulumi up` then creates a new one.";
    super("invalid", `The ${noun} ${id} no longer exists${reason}. ${fix}`, cause);
  }
}

export function missingAfterCreate({ noun }: AnyKind, id: string): NeonError {
  const summary = `The platform reported that it created the ${noun} ${id}, but it cannot be found`;
  return new NeonError("outcome-unknown", summary, undefined, {
    fallback: "If it stays missing, run `pulumi refresh`; the next `pulumi up` then creates a new one.",
  });
}

/**
 * Repairs an object after one of its operations has failed.
 *
 * @throws Error with the reason of the failure, if the creation failed and the object can never become usable
 */
export async function repair(
  kind: AnyKind,
  context: Context,
  outputs: Values,
  step: Pending["step"],
  reason: string,
): Promise<void> {
  if (step === "create" && kind.usable !== undefined && !(await kind.usable(context, outputs))) {
    throw new Error(asSentence(reason));
  }
  await kind.repair?.(context, outputs);
}
