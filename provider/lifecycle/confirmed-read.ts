import { isNotFound, NeonError } from "../../api/errors";
import type { Values } from "../values";
import type { Work } from "./work";

/**
 * Reads an object. That it is gone is believed only after a second read, if its list does not have it, either, and only of an
 * account that could see it: otherwise the object would be created again.
 */
export async function confirmedRead(work: Work, state: Values): Promise<Values | undefined> {
  return (await work.kind.read(work.context, state)) ?? readAgain(work, state);
}

/** Whether a call failed because its object is gone: a 404, confirmed by a read. */
export async function isGone(work: Work, error: unknown): Promise<boolean> {
  const state = work.context.progress.object?.outputs;
  if (!isNotFound(error) || state === undefined) return false;
  const found = await readAgain(work, state).catch((cause: unknown) => {
    // This key cannot see what the object belongs to.
    if (NeonError.isInstance(cause) && cause.kind === "invalid") throw cause;
    return state;
  });
  return found === undefined;
}

/** The second evidence that an object is gone; the object, if it is there after all. */
async function readAgain({ kind, context }: Work, state: Values): Promise<Values | undefined> {
  context.sender.confirmAbsence();
  const found = await kind.read(context, state);
  if (found === undefined) await context.assertVisible();
  return found;
}
