import { isEnded } from "../../../api/operations/status";
import type { Operation } from "../../../api/schemas/operation";
import { hasEnded, hiddenBranch, runningOperationsOf } from "../../call/project-operations";
import { projectOf } from "../../kind/kind";
import type { Values } from "../../values";
import type { Work } from "../work";
import { neverUsable } from "./words";

/**
 * Adopts an object once it can be used: a killed run can have left operations running on its branch. If the object
 * itself reports that its creation failed, it is repaired. Other past failures are ignored, because they may not
 * concern the object.
 *
 * @throws NeonError `invalid` if its creation failed and it never becomes usable; `operation-failed` if one of the
 * operations fails
 */
export async function takeOver(work: Work, found: Values, adoptionId: string): Promise<Values> {
  const object = { id: work.kind.id(found), adoptionId };
  work.progress.object = { ...object, outputs: found };
  const outputs = await settled(work, found);
  work.progress.object = { ...object, outputs };
  return outputs;
}

async function settled(work: Work, outputs: Values): Promise<Values> {
  const { kind, requests } = work;
  const project = work.changedProject(projectOf(kind, outputs));
  // For a project, this is its first branch.
  const { defaultBranchId: first } = outputs;
  const branch = work.branchOf(outputs) ?? (typeof first === "string" ? first : undefined);
  if (project === undefined || branch === undefined) return outputs;
  const { finishing } = kind;
  const running = await runningOn(branch, project, work);
  const judgesItself = finishing?.readsState === true;
  await requests.wait(running).catch((error: unknown) => {
    if (!hasEnded(error) || !judgesItself) throw error;
  });
  if (judgesItself) {
    // `usable` reuses the answer that was just read, unless operations were waited for.
    requests.keepAnswers();
    const isUsable = (await finishing.usable?.(work, outputs)) ?? true;
    if (!isUsable) throw neverUsable(kind, kind.id(outputs));
    await finishing.repair?.(work, outputs);
  }
  return running.length > 0 || work.progress.pending !== undefined
    ? ((await kind.read(work, outputs)) ?? outputs)
    : outputs;
}

/** The operations that are running on a branch. For a hidden branch, the oldest comes first. */
async function runningOn(
  branch: string | typeof hiddenBranch,
  project: string,
  { requests, operations }: Work,
): Promise<readonly Operation[]> {
  if (branch !== hiddenBranch)
    return (await requests.readOne(runningOperationsOf(project), branch, "listed"))?.[1] ?? [];
  const latest = await operations.latest(project);
  const running = latest.filter(({ branch_id: named, status }) => named !== undefined && !isEnded(status));
  return [...(await operations.on(branch, project, running))].reverse();
}
