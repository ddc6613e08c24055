import { auth } from "../../api/schemas/user";
import { resolution, type ServerClock } from "../../api/server-clock";
import type { Context } from "../call/context";
import type { CreationEntry } from "../ownership/journal";
import type { Values } from "../values";

/**
 * How long after it was sent a creation can still take effect, in milliseconds. Where only name and time identify an
 * object, one that appeared later belongs to somebody else.
 */
const effectWithin = 60_000;

/** When a creation was sent and answered: what tells which objects it can have made. */
export type CreationTimes = Pick<CreationEntry, "sentAt" | "resentAt" | "objectId" | "appearedAt">;

/** The earliest time at which a creation can have taken effect, by the platform's clock; the epoch if that is not known. */
export function sinceOf(creation: Pick<CreationEntry, "sentAt"> | undefined): Date {
  return new Date(creation?.sentAt ?? 0);
}

/** The latest time at which a creation can have taken effect, by the platform's clock; undefined if that is not known. */
export function latestEffectOf({ sentAt, resentAt = sentAt }: CreationTimes): Date | undefined {
  return resentAt === undefined ? undefined : new Date(Date.parse(resentAt) + effectWithin);
}

/** Whether an object appeared before a creation can no longer have taken effect. */
export function isBeforeLatestEffect(clock: ServerClock, creation: CreationTimes, appearedAt: number): boolean {
  if (creation.appearedAt !== undefined) return appearedAt <= Date.parse(creation.appearedAt) + resolution;
  const latest = latestEffectOf(creation);
  return latest === undefined || appearedAt <= clock.latestTimestamp(latest);
}

/** When an object appeared, by the platform's clock, if it reports that. */
export function timeOf({ createdAt, grantedAt = createdAt }: Values = {}): number | undefined {
  const time = typeof grantedAt === "string" ? Date.parse(grantedAt) : NaN;
  return Number.isFinite(time) ? time : undefined;
}

/** Whether an object may be the result of a creation, as far as times tell: nothing of either is known otherwise. */
export function mayHaveCreated(clock: ServerClock, creation: CreationTimes, found: Values): boolean {
  const appearedAt = timeOf(found);
  if (appearedAt === undefined) return true;
  const isAfterSending = appearedAt >= clock.earliestTimestamp(sinceOf(creation));
  return isAfterSending && isBeforeLatestEffect(clock, creation, appearedAt);
}

/** Learns the platform's time from any response, even from an error. */
export async function learnTime({ sender, read }: Context): Promise<void> {
  const { serverClock } = sender.client;
  if (serverClock.isSynchronized) return;
  await read(auth.get()).catch((error: unknown) => {
    if (!serverClock.isSynchronized) throw error;
  });
}
