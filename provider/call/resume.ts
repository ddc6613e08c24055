import { NeonError } from "../../api/errors";
import { progressOf } from "../../api/operations/status";
import type { Operation } from "../../api/schemas/operation";
import type { Values } from "../values";
import type { Context } from "./context";
import { type Pending, resumedOperation } from "./pending-work";
import { branchOf, hasEnded, isOnBranch } from "./project-operations";

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

async function haveSucceeded({ sender }: Context, operations: readonly Operation[]): Promise<boolean> {
  try {
    await sender.wait(operations);
    return operations.length > 0;
  } catch (error) {
    // The platform deletes operations after some months: then only the object itself can tell.
    const isUnknown = NeonError.isInstance(error) && error.kind === "operation-unknown";
    if (!hasEnded(error) && !isUnknown) throw error;
    return false;
  }
}

/**
 * Waits for what an interrupted run has started at that time, by the platform's clock, and of which no state knows.
 *
 * @param outputs of the object that it was to create
 * @returns whether no operation of the object has failed since; if one has, only the object itself can tell
 */
export async function resumeInterrupted(
  context: Context,
  project: string | undefined,
  outputs: Values,
  since: Date,
): Promise<boolean> {
  const { sender, progress } = context;
  progress.wait([], []);
  const all = await context.waitUntilIdle(project);
  const hasFailed = all.some(
    (one) =>
      isOnBranch(one, branchOf(outputs)) &&
      sender.operations.isSince(one, since) &&
      progressOf(one.status) === "failure",
  );
  if (hasFailed) progress.failed();
  else progress.succeeded([]);
  return !hasFailed;
}
