import { changesAt, differences, top } from "../kind/differences";
import { ruleFor } from "../kind/field-rules";
import { naturalKeyOf, naturalKeySearch } from "../kind/natural-key";
import type { CreationEntry } from "../ownership/journal";
import { hashOfUrn, parseTag } from "../ownership/ownership-tag";
import type { Values } from "../values";
import { keyOf } from "./claims";
import { type CreationTimes, isBeforeLatestEffect, mayHaveCreated, sinceOf, timeOf } from "./effect-time";
import type { CreateWork, Work } from "./work";

/** How far the platform's clock may be off its last response, in milliseconds: the tag decides, not the time. */
export const clockSlack = 600_000;

/** An object that an interrupted creation has made. */
export interface Candidate {
  readonly entry: CreationEntry;
  readonly found: Values;
}

/**
 * The objects that these creations have certainly made, and that no resource of this run has: their id is recorded, or they
 * carry the tag.
 */
export async function certainObjects(
  work: CreateWork,
  entries: readonly CreationEntry[],
): Promise<readonly Candidate[]> {
  const { kind, context, inputs } = work;
  const { recovery, address } = kind;
  // Properties that the platform does not report are as declared.
  const answered = entries.flatMap((entry) =>
    entry.objectId === undefined ? [] : [{ entry, found: { ...inputs, ...address(entry.objectId) } }],
  );
  const unanswered = entries.filter(({ objectId }) => objectId === undefined);
  const since = new Date(sinceOf(unanswered[0]).getTime() - clockSlack);
  const tagged = recovery.by === "tag" && unanswered.length > 0 ? await recovery.list(context, inputs, since) : [];
  const ofTag = tagged.flatMap(({ tag, found }) => {
    const entry = unanswered.find(({ id }) => id === parseTag(tag)?.creationId);
    return entry === undefined ? [] : [{ entry, found }];
  });
  return [...answered, ...ofTag].filter(({ found }) => isFree(work, found));
}

/** Objects that only their natural key and their time connect with a creation. */
interface LikelyObjects {
  readonly likely: readonly Values[];
  /** These can be the result of another resource's creation, too. */
  readonly uncertain: readonly Values[];
}

/**
 * The objects that can be the result of one of these creations, by natural key and time.
 *
 * @param isRefused whether the platform has refused to create another one. Default: it was not asked.
 */
export async function likelyObjects(
  work: CreateWork,
  creations: readonly CreationTimes[],
  isRefused = false,
): Promise<LikelyObjects> {
  const { kind, context, inputs } = work;
  const [likely, uncertain]: [Values[], Values[]] = [[], []];
  const search = naturalKeySearch(kind, inputs);
  if (creations.length === 0 || search === undefined) return { likely, uncertain };
  const all = await search(context, inputs);
  const inTime = all.filter(
    ({ createdAt, mayBeOver }) =>
      (isRefused || mayBeOver !== true) &&
      creations.some((creation) => mayHaveCreated(work.serverClock, creation, { createdAt })),
  );
  for (const { found } of inTime) {
    const present = isFree(work, found) ? await kind.read(context, found) : undefined;
    if (present === undefined || !fits(work, present, creations)) continue;
    const creator = await otherCreatorOf(work, present);
    if (creator !== "certain") (creator === undefined ? likely : uncertain).push(found);
  }
  return { likely, uncertain };
}

/**
 * Whether an object without a tag can be the result of one of these creations. Another object may have its name by now: it
 * must have appeared in time, and be as declared where its id is not recorded or its time not reported.
 */
export function fits(
  { kind, context, serverClock, inputs }: CreateWork,
  present: Values,
  creations: readonly CreationTimes[],
): boolean {
  const appearedAt = timeOf(present);
  const isLate = (one: CreationTimes, time: number): boolean => !isBeforeLatestEffect(serverClock, one, time);
  if (appearedAt !== undefined && creations.every((one) => isLate(one, appearedAt))) return false;
  if (appearedAt !== undefined && creations.every(({ objectId }) => objectId !== undefined)) return true;
  // What its creation has left to an update need not be there yet.
  const left = changesAt(kind.create(inputs, { orgId: context.orgId }).leaves ?? []);
  const different = differences(kind, present, [], inputs).filter((path) => !left.has(path));
  return different.every((path) => {
    const { platform, unset } = ruleFor(kind.rules, path);
    // A platform need not report every member: what it does not report cannot differ. A member of what it reports can.
    return platform !== undefined || (present[top(path)] === undefined && unset !== "none");
  });
}

function isFree(work: Work, found: Values): boolean {
  return work.services.registry.claimsTo(keyOf(work.kind, found)).length === 0;
}

/**
 * How another resource of this machine relates to an object: it has created it, or it may have, because its response is
 * missing and it asked for the same place and name.
 */
async function otherCreatorOf(
  { kind, services, call, serverClock, inputs }: CreateWork,
  present: Values,
): Promise<"certain" | "possible" | undefined> {
  const [own, urnHash] = [services.stack(call.urn), hashOfUrn(call.urn)];
  const [id, key] = [kind.id(present), naturalKeyOf(kind, inputs)];
  const others = (await services.journal.ofOtherProcesses(kind.name)).filter(
    (one) => one.stack !== own || one.urnHash !== urnHash,
  );
  if (others.some(({ objectId }) => objectId === id)) return "certain";
  const mayHave = (one: CreationEntry): boolean =>
    one.objectId === undefined &&
    one.naturalKey !== undefined &&
    one.naturalKey === key &&
    mayHaveCreated(serverClock, one, present);
  return others.some(mayHave) ? "possible" : undefined;
}
