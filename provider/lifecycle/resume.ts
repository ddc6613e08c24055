import { NeonError } from "../../api/core/errors";
import type { Operation } from "../../api/schemas/operation";
import { type Pending, resumedOperation } from "../call/pending-work";
import { hasEnded } from "../call/project-operations";
import type { Work } from "./work";

// Waits for operations that another call has started and not waited for.

/**
 * Waits for the pending work that an earlier call has left in the state.
 *
 * @returns whether it succeeded; if not, no operation is running any more, and its inputs have to be applied again
 */
export async function resume(work: Work, pending: Pending, project: string | undefined): Promise<boolean> {
  const { progress } = work;
  progress.pending = pending;
  if (pending.stage === "finished") return true;
  if (pending.stage === "waiting" && (await haveSucceeded(work, pending.operations.map(resumedOperation)))) {
    progress.succeeded(pending.applies);
    return true;
  }
  progress.failed();
  await work.waitUntilIdle(project);
  return false;
}

async function haveSucceeded(work: Work, operations: readonly Operation[]): Promise<boolean> {
  try {
    await work.requests.wait(operations);
    return operations.length > 0;
  } catch (error) {
    // The platform deletes operations after some months. Then only the object can tell the result.
    const isUnknown = NeonError.isInstance(error) && error.kind === "operation-unknown";
    if (!hasEnded(error) && !isUnknown) throw error;
    return false;
  }
}
