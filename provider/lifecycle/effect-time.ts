import { auth } from "../../api/schemas/user";
import type { Context } from "../kind/context";
import { secondSlack } from "../kind/sender";
import type { Values } from "../kind/values";
import type { CreationEntry } from "../ownership/journal";

/**
 * How long after it was sent a creation can still take effect, in milliseconds. Where only name and time identify an
 * object, one that appeared later belongs to somebody else.
 */
const effectWithin = 60_000;

/** What tells which objects a creation can have made. */
export type SentCreation = Pick<CreationEntry, "writtenAt" | "sentAt" | "resentAt" | "objectId" | "answeredAt">;

/** The earliest time at which a creation can have taken effect, by the platform's clock; the epoch if that is not known. */
export function sinceOf(entry: Pick<CreationEntry, "sentAt"> | undefined): Date {
  return new Date(entry?.sentAt ?? 0);
}

/** The latest time at which the object of a creation can have appeared, by the platform's clock. */
export function latestEffectOf({ sentAt, resentAt = sentAt, answeredAt }: SentCreation): number {
  if (answeredAt !== undefined) return Date.parse(answeredAt) + secondSlack;
  return resentAt === undefined ? Infinity : Date.parse(resentAt) + effectWithin;
}

/** When an object appeared, by the platform's clock, if it reports that. */
export function timeOf({ createdAt, grantedAt = createdAt }: Values = {}): number | undefined {
  const time = typeof grantedAt === "string" ? Date.parse(grantedAt) : NaN;
  return Number.isFinite(time) ? time : undefined;
}

/**
 * How another creation relates to an object: it has created it, or it may have, because its response is missing and it asked for
 * the same place and name.
 *
 * @param others the creations of other processes
 * @param isOwn whether a creation is one of the resource that asks
 * @param key the object's natural key; undefined: creations without a response are not asked
 */
export function otherCreator(
  others: readonly CreationEntry[],
  isOwn: (creation: CreationEntry) => boolean,
  { id, key, found }: { readonly id: string; readonly key?: string; readonly found: Values },
): "certain" | "possible" | undefined {
  const foreign = others.filter((one) => !isOwn(one));
  if (foreign.some(({ objectId }) => objectId === id)) return "certain";
  const mayHave = (one: CreationEntry): boolean =>
    one.objectId === undefined && one.naturalKey !== undefined && one.naturalKey === key && mayHaveCreated(one, found);
  return foreign.some(mayHave) ? "possible" : undefined;
}

/** Whether an object may be the result of a creation, as far as times tell: nothing of either is known otherwise. */
export function mayHaveCreated(creation: SentCreation, found: Values): boolean {
  const appearedAt = timeOf(found);
  if (appearedAt === undefined) return true;
  return appearedAt >= sinceOf(creation).getTime() - secondSlack && appearedAt <= latestEffectOf(creation);
}

/** Learns the platform's time from any response, even from an error. */
export async function learnTime(context: Context): Promise<void> {
  const { client } = context;
  if (client.serverClock.isSynchronized) return;
  await context.read(auth.get()).catch((error: unknown) => {
    if (!client.serverClock.isSynchronized) throw error;
  });
}
