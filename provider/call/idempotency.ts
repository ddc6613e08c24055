import type { NeonClient } from "../../api/client";
import { messageOf } from "../../api/errors";
import { hashOf, newId } from "../ownership/ids";
import type { Journal } from "../ownership/journal";
import type { Values } from "../values";

/** What identifies a change for a later run, which does not know whether this run made it. */
export interface Once {
  /** The object that is changed, by its id in state. */
  readonly objectId: string;
  /** What asks for it, such as a trigger with its value: the same object and key is the same change. */
  readonly idempotencyKey: string;
  /** What the object is like before the change, to tell later whether it was made. Holds no secret. */
  readonly before: Values;
}

/** The record of a change that must not be sent twice. */
export interface IdempotencyRecord {
  readonly id: string;
  readonly before: Values;
  /** By the platform's clock, as far as it was known. */
  readonly sentAt: Date;
}

interface RecordsOptions {
  readonly journal: Journal;
  readonly client: NeonClient;
  /** The fingerprint of the account. */
  readonly account: string;
  readonly kind: string;
  readonly warn: (text: string) => void;
}

/** The key of a change in records and in the state, which do not show the value of a trigger. */
export function keyOf({ idempotencyKey }: Once): string {
  return hashOf(idempotencyKey);
}

/** Records of changes that must not be sent twice, in the journal, by the object that they change. */
export type IdempotencyRecords = ReturnType<typeof idempotencyRecords>;

export function idempotencyRecords({ journal, client, account, kind, warn }: RecordsOptions) {
  return {
    /** The record of the same change by a run that has not recorded its result. */
    find: async (once: Once): Promise<IdempotencyRecord | undefined> => {
      const suits = { kind, account, objectId: once.objectId, idempotencyKey: keyOf(once) };
      const found = await journal.interruptedChange(suits);
      if (found === undefined) return undefined;
      return { id: found.id, before: found.before, sentAt: new Date(found.sentAt ?? found.writtenAt) };
    },
    /** Records that the change is about to be sent; replaces earlier records of the object. */
    write: async (once: Once): Promise<IdempotencyRecord> => {
      const { objectId, before } = once;
      await journal.settleChangesOf(objectId);
      const id = newId();
      const sentAt = client.serverClock.now();
      await journal
        .beginChange({
          type: "change",
          id,
          kind,
          account,
          sentAt: sentAt.toISOString(),
          objectId,
          idempotencyKey: keyOf(once),
          before,
        })
        .catch((error: unknown) => {
          warn(
            `This change could not be recorded on this machine. If the run is interrupted, the next one makes it again: ${messageOf(error)}`,
          );
        });
      return { id, before, sentAt };
    },
    /** The change was certainly not made. */
    discard: ({ id }: IdempotencyRecord): Promise<void> => journal.settle(id),
  };
}
