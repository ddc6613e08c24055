import { asSentence } from "../../api/errors";
import type { Context } from "../kind/context";
import type { Kind } from "../kind/kind";
import type { Pending } from "../kind/pending";

/**
 * Repairs an object after one of its operations has failed.
 *
 * @throws Error with the reason of the failure, if the creation failed and the object can never become usable
 */
export async function repair<Inputs, Outputs>(
  kind: Kind<Inputs, Outputs>,
  context: Context,
  outputs: Outputs,
  step: Pending["step"],
  reason: string,
): Promise<void> {
  if (step === "create" && kind.usable !== undefined && !(await kind.usable(context, outputs))) {
    throw new Error(asSentence(reason));
  }
  await kind.repair?.(context, outputs);
}
