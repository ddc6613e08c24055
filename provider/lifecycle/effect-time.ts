import { secondSlack } from "../kind/sender";
import type { Values } from "../kind/values";
import type { CreationEntry } from "../ownership/journal";

/**
 * How long after it was sent a creation can still take effect, in milliseconds. Where only name and time identify an
 * object, one that appeared later belongs to somebody else.
 */
const effectWithin = 60_000;

/** What tells which objects a creation can have made. */
export type SentCreation = Pick<CreationEntry, "writtenAt" | "sentAt" | "objectId" | "answeredAt">;

/** The earliest time at which a creation can have taken effect, by the platform's clock; the epoch if that is not known. */
export function sinceOf(entry: Pick<CreationEntry, "sentAt"> | undefined): Date {
  return new Date(entry?.sentAt ?? 0);
}

/** The latest time at which the object of a creation can have appeared, by the platform's clock. */
export function latestEffectOf({ sentAt, answeredAt }: SentCreation): number {
  if (answeredAt !== undefined) return Date.parse(answeredAt) + secondSlack;
  return sentAt === undefined ? Infinity : Date.parse(sentAt) + effectWithin;
}

/** When an object appeared, by the platform's clock, if it reports that. */
export function timeOf({ createdAt, grantedAt = createdAt }: Values = {}): number | undefined {
  const time = typeof grantedAt === "string" ? Date.parse(grantedAt) : NaN;
  return Number.isFinite(time) ? time : undefined;
}

/**
 * Whether a creation of another resource has created an object, or may have: its response has not arrived yet.
 *
 * @param others the creations of other processes
 * @param isOwn whether a creation is one of the resource that asks
 */
export function isOfOtherCreation(
  others: readonly CreationEntry[],
  isOwn: (creation: CreationEntry) => boolean,
  id: string,
  found: Values,
): boolean {
  return others.some(
    (one) => !isOwn(one) && (one.objectId === undefined ? mayHaveCreated(one, found) : one.objectId === id),
  );
}

/** Whether an object may be the result of a creation, as far as times tell: nothing of either is known otherwise. */
export function mayHaveCreated(creation: SentCreation, found: Values): boolean {
  const appearedAt = timeOf(found);
  if (appearedAt === undefined) return true;
  return appearedAt >= sinceOf(creation).getTime() - secondSlack && appearedAt <= latestEffectOf(creation);
}
