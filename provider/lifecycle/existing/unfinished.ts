import { isEnded } from "../../../api/operations/status";
import { hasEnded } from "../../call/project-operations";
import { projectOf } from "../../kind/kind";
import type { Values } from "../../values";
import { neverUsable } from "../errors";
import type { Work } from "../work";

/**
 * Waits until an object that is adopted can be used: a run that was killed can have left operations running on its branch. Where
 * the object itself says that its creation failed, it is repaired. What else has failed before cannot be told to be its own.
 *
 * @throws NeonError `invalid` if its creation failed and it never becomes usable; `operation-failed` if one of the operations fails
 */
export async function settleAdopted(work: Work, outputs: Values): Promise<Values> {
  const { kind } = work;
  const project = projectOf(kind, outputs);
  // That of a project is the one that was created with it.
  const branchId = outputs["branchId"] ?? outputs["defaultBranchId"];
  if (project === undefined || branchId === undefined) return outputs;
  const { finishing } = kind;
  const latest = await work.operations.latest(project);
  const running = latest.filter((one) => one.branch_id === branchId && !isEnded(one.status));
  const judgesItself = finishing?.readsState === true;
  await work.requests.wait(running).catch((error: unknown) => {
    if (!hasEnded(error) || !judgesItself) throw error;
  });
  if (judgesItself) {
    const isUsable = (await finishing.usable?.(work, outputs)) ?? true;
    if (!isUsable) throw neverUsable(kind, kind.id(outputs));
    await finishing.repair?.(work, outputs);
  }
  return running.length > 0 || work.progress.pending !== undefined
    ? ((await kind.read(work, outputs)) ?? outputs)
    : outputs;
}
