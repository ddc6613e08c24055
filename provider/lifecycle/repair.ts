import type { Pending } from "../call/pending-work";
import { unusable } from "./errors";
import type { Work } from "./work";

/**
 * Repairs the object of a call after one of its operations has failed.
 *
 * @throws Error with the reason of the failure, if the creation failed and the object can never become usable
 */
export async function repair({ kind, context }: Work, step: Pending["step"], reason: string): Promise<void> {
  const { usable, repair: repairObject } = kind.finishing ?? {};
  const { outputs = {} } = context.progress.object ?? {};
  if (step === "create" && usable !== undefined && !(await usable(context, outputs))) throw unusable(reason);
  await repairObject?.(context, outputs);
}
