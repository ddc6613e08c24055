import { NeonError } from "../../api/core/errors";
import type { Operation } from "../../api/schemas/operation";
import type { Context } from "./context";
import { type Pending, resumedOperation } from "./pending-work";
import { hasEnded } from "./project-operations";

// What another call has started, and has not waited for to its end.

/**
 * Waits for what an earlier call has left in the state.
 *
 * @returns whether it succeeded; if not, nothing is running any more, and its inputs have to be applied again
 */
export async function resume(context: Context, pending: Pending, project: string | undefined): Promise<boolean> {
  const { progress } = context;
  progress.pending = pending;
  if (pending.stage === "finished") return true;
  if (pending.stage === "waiting" && (await haveSucceeded(context, pending.operations.map(resumedOperation)))) {
    progress.succeeded(pending.applies);
    return true;
  }
  progress.failed();
  await context.waitUntilIdle(project);
  return false;
}

async function haveSucceeded(context: Context, operations: readonly Operation[]): Promise<boolean> {
  try {
    await context.wait(operations);
    return operations.length > 0;
  } catch (error) {
    // The platform deletes operations after some months: then only the object itself can tell.
    const isUnknown = NeonError.isInstance(error) && error.kind === "operation-unknown";
    if (!hasEnded(error) && !isUnknown) throw error;
    return false;
  }
}
