import { OperationFailedError, summaryOf } from "../../api/errors";
import { isEnded, progressOf } from "../../api/operations/status";
import { resolution } from "../../api/server-clock";
import type { Operation } from "../../api/schemas/operation";
import { branchOf, isOnBranch } from "../call/project-operations";
import { projectOf } from "../kind/kind";
import type { Values } from "../values";
import { isBeforeLatestEffect, timeOf } from "./effect-time";
import { neverUsable } from "./errors";
import type { CreateWork } from "./work";

/**
 * Waits until an object that is adopted can be used, and repairs it if its creation failed: a run that was killed can have
 * left either.
 *
 * @throws NeonError `invalid` if its creation failed and it never becomes usable
 */
export async function settleAdopted(work: CreateWork, outputs: Values): Promise<Values> {
  const { kind, context } = work;
  const project = projectOf(kind, outputs);
  if (project === undefined) return outputs;
  const branchId = branchOf(outputs);
  const isOfIt = (one: Operation): boolean => isOnBranch(one, branchId);
  const found = (await context.sender.operations.latest(project)).filter(isOfIt);
  const isRunning = found.some(({ status }) => !isEnded(status));
  const ended = isRunning ? (await context.waitUntilIdle(project, branchId)).filter(isOfIt) : found;
  const failed = failureOf(work, outputs, ended);
  if (failed !== undefined) {
    const usable = kind.finishing?.usable;
    if (usable !== undefined && !(await usable(context, outputs))) {
      throw neverUsable(kind, kind.id(outputs), summaryOf(new OperationFailedError(failed, 0)));
    }
    await kind.finishing?.repair?.(context, outputs);
  }
  return isRunning || failed !== undefined ? ((await kind.read(context, outputs)) ?? outputs) : outputs;
}

/** The failed operation of an object's creation, unless one of the same action has succeeded since the object appeared. */
function failureOf(
  { serverClock }: CreateWork,
  outputs: Values,
  operations: readonly Operation[],
): Operation | undefined {
  const createdAt = timeOf(outputs);
  if (createdAt === undefined) return undefined;
  const sent = { sentAt: new Date(createdAt).toISOString() };
  const since = operations.filter(({ created_at: at }) => Date.parse(at) >= createdAt - resolution);
  const succeeded = new Set(since.filter(({ status }) => progressOf(status) === "success").map(({ action }) => action));
  // The oldest one, which the others follow from.
  return since.findLast(
    ({ action, status, created_at: at }) =>
      progressOf(status) === "failure" &&
      !succeeded.has(action) &&
      isBeforeLatestEffect(serverClock, sent, Date.parse(at)),
  );
}
