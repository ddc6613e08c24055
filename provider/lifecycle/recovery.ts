import type { CallObject } from "../call/progress";
import { resumeInterrupted } from "../call/resume";
import { adoptValueOf } from "../kind/id";
import { type AnyKind, isSecretOnce, projectOf } from "../kind/kind";
import { uniqueInputs } from "../kind/natural-key";
import { type CreationEntry, isExpired } from "../ownership/journal";
import { hashOfUrn } from "../ownership/ownership-tag";
import type { Values } from "../values";
import { obstacleTo } from "./adoption";
import { claimAdopted } from "./claims";
import { latestEffectOf, learnTime, sinceOf } from "./effect-time";
import { createdByActiveRun } from "./errors";
import { type Candidate, certainObjects, fits, likelyObjects } from "./search";
import type { CreateWork } from "./work";

// The objects that this stack created in a run that was killed. An open journal entry is the only evidence of such an
// object: neither a URN nor a name is. What was handed to the engine is the engine's: if a kill lost it there, it is named.

/**
 * The entries of this resource's interrupted creations, oldest first.
 *
 * @throws NeonError if another run of this stack is creating this resource. The lock of the stack excludes that, unless
 * somebody has removed it
 */
export async function interruptedCreations(work: CreateWork): Promise<readonly CreationEntry[]> {
  const { kind, services, account, call, context } = work;
  const { journal } = services;
  const isOfThis = ({ urnHash }: CreationEntry): boolean => urnHash === hashOfUrn(call.urn);
  const found = await journal.creations(work.ownCreations);
  if (found.inProgress.some(isOfThis)) throw createdByActiveRun(kind);
  const all = found.interrupted.filter(isOfThis);
  // The machine's clock may have been set since: it only tells whether asking for the platform's time is worthwhile.
  const { clock, serverClock } = account.client;
  if (!all.some((one) => isExpired(one, clock.date()))) return all;
  await learnTime(context);
  const expired = all.filter((one) => isExpired(one, serverClock.now()));
  for (const { id } of expired) await journal.settle(id);
  return all.filter((one) => !expired.includes(one));
}

/** Recovers the object that one of these creations has made, if nobody else is known to have it. */
export async function recover(work: CreateWork, entries: readonly CreationEntry[]): Promise<Values | undefined> {
  const certain = await certainObjects(work, entries);
  for (const candidate of certain) {
    const recovered = await recoverCertain(work, candidate);
    if (recovered !== undefined) return recovered;
  }
  const unanswered = entries.filter(({ objectId }) => objectId === undefined);
  const unfound = unanswered.filter((one) => !certain.some(({ entry }) => entry === one));
  warnOfPending(work, unfound.filter(hasTag));
  const untagged = unfound.filter((one) => !hasTag(one));
  return recoverLikely(work, untagged);
}

/** Whether the request of a creation held a tag: nothing else tells whose an object of that name is otherwise. */
function hasTag({ naturalKey }: CreationEntry): boolean {
  return naturalKey === undefined;
}

/** Decides what becomes of an object that one of this resource's creations has certainly made. */
async function recoverCertain(work: CreateWork, candidate: Candidate): Promise<Values | undefined> {
  const { kind, context } = work;
  const { entry, found } = candidate;
  const isHandedOver = entry.returned === true;
  // It is named by the conflict with it, or by the search for namesakes.
  const isNamedLater = kind.recovery.by === "tag" || uniqueInputs(kind, work.inputs).length > 0;
  if (isHandedOver && isNamedLater) return undefined;
  const present = await kind.read(context, found);
  if (present === undefined) return undefined;
  const title = `An interrupted run created the ${kind.noun} ${kind.id(found)}.`;
  if (isHandedOver) {
    const adopt = JSON.stringify(adoptValueOf(kind.id(found)));
    context.warn(
      isSecretOnce(kind)
        ? `${title} It was not revoked, because a state may hold it. Revoke it if nothing uses it.`
        : `${title} It was not recovered, because a state may hold it. If none does, delete it, or declare \`adopt: ${adopt}\` in a resource of its own.`,
    );
    return undefined;
  }
  if (isSecretOnce(kind)) {
    await kind.remove(context, present);
    context.warn(`${title} Its secret is lost, so it was revoked, and a new one is created.`);
    return undefined;
  }
  return hasTag(entry) || fits(work, present, [entry]) ? resume(work, candidate) : undefined;
}

/**
 * Decides what becomes of the objects with the natural key of these inputs that appeared when these creations were sent.
 * Another program may have created one at the same time: only what is already as declared counts. What cannot be told apart,
 * or is useless without its secret, is named.
 */
async function recoverLikely(work: CreateWork, entries: readonly CreationEntry[]): Promise<Values | undefined> {
  const { kind, context } = work;
  const [entry] = entries;
  if (entry === undefined) return undefined;
  const { likely, uncertain } = await likelyObjects(work, entries);
  const all = [...likely, ...uncertain];
  if (all.length === 0) warnOfPending(work, entries);
  if (isSecretOnce(kind)) {
    for (const one of all) context.warn(lostSecretWarning(kind, one));
    return undefined;
  }
  const [found] = likely;
  if (found !== undefined && all.length === 1) return resume(work, { entry, found });
  if (all.length === 0) return undefined;
  const list = all.map(kind.id).join(", ");
  context.warn(
    `An interrupted run of this stack may have created one of these ${kind.noun}s: ${list}. It is not known which, so none of them was changed, and a new one is created. Delete those that nothing uses.`,
  );
  return undefined;
}

/** Finishes what an interrupted run has begun, unless the program declares by now what the object cannot become. */
async function resume(work: CreateWork, { entry, found }: Candidate): Promise<Values | undefined> {
  const { kind, services, context, inputs } = work;
  const { progress } = context;
  const project = projectOf(kind, found);
  const succeeded = await resumeInterrupted(context, project, { ...inputs, ...found }, sinceOf(entry));
  const outputs = await kind.read(context, found);
  const obstacle = outputs && obstacleTo(kind, inputs, outputs, true);
  if (obstacle !== undefined) {
    context.warn(
      `An interrupted run created the ${kind.noun} ${kind.id(found)}. It was not recovered: ${obstacle} Delete it if nothing manages it.`,
    );
  }
  if (outputs === undefined || obstacle !== undefined) {
    progress.pending = undefined;
    return undefined;
  }
  const id = kind.id(outputs);
  claimAdopted(work, outputs, entry.id);
  services.journal.recovered(entry);
  progress.object = { id, outputs, creationId: entry.id };
  context.warn(
    hasTag(entry) || entry.objectId !== undefined
      ? `An interrupted run created the ${kind.noun} ${id}. It was recovered.`
      : `The ${kind.noun} ${id} appeared when an interrupted run sent its request, and is as declared. It was recovered.`,
  );
  const readAgain = async (object: CallObject): Promise<CallObject> => ({
    ...object,
    outputs: (await kind.read(context, object.outputs)) ?? object.outputs,
  });
  if (!succeeded) {
    await work.repair("create", "The run that created it was interrupted");
    progress.object = await readAgain(progress.object);
  }
  if (kind.finishing?.complete !== undefined) {
    await kind.finishing.complete(context, progress.object.outputs);
    progress.object = await readAgain(progress.object);
  }
  return progress.object.outputs;
}

/**
 * Warns of requests without a result that may still be on their way. The call creates an object: a second one appears
 * if the platform does not refuse it.
 */
function warnOfPending({ kind, context, serverClock, inputs }: CreateWork, unfound: readonly CreationEntry[]): void {
  if (uniqueInputs(kind, inputs).length > 0) return;
  const now = serverClock.now();
  const isOver = (latest: Date | undefined): boolean => latest !== undefined && latest < now;
  for (const entry of unfound.filter((one) => !isOver(latestEffectOf(one)))) {
    context.warn(
      `An interrupted run of this stack sent a request for this ${kind.noun} at ${entry.sentAt ?? entry.writtenAt}, which can still take effect. Look for a second ${kind.noun} of the same name in a minute, and ${isSecretOnce(kind) ? "revoke" : "delete"} it if nothing uses it.`,
    );
  }
}

/** The warning of a key that appeared when a creation was sent whose response is lost. */
export function lostSecretWarning({ noun, id }: AnyKind, found: Values): string {
  return `The ${noun} ${id(found)} appeared when a request was sent whose response is lost. It was not revoked, because another program may have created it with the same name at that time. Revoke it if nothing uses it.`;
}

/**
 * Warns of objects that interrupted runs of this stack created for resources that the program no longer declares: no
 * create will ever search for them. Best effort.
 */
export async function warnOfOrphans(work: CreateWork): Promise<void> {
  const { kind, services, context } = work;
  const entries = await services.journal.interrupted(work.ownCreations);
  const elsewhere = entries.filter(({ urnHash }) => !services.registry.declares(urnHash));
  for (const entry of elsewhere) {
    const { objectId, sentAt } = entry;
    if (objectId !== undefined || hasTag(entry)) continue;
    context.warn(
      `An interrupted run of this stack may have created one more ${kind.noun} at ${sentAt ?? "an unknown time"}, for a resource that the program does not declare, or has not declared so far. If there is one that nothing manages when this run is over, delete it.`,
    );
  }
  const orphans = await certainObjects(work, elsewhere).catch(() => []);
  for (const orphan of new Set(orphans.map(({ found }) => kind.id(found)))) {
    context.warn(
      `An interrupted run of this stack created the ${kind.noun} ${orphan} for a resource that the program does not declare, or has not declared so far. Delete it if nothing manages it when this run is over.`,
    );
  }
}
