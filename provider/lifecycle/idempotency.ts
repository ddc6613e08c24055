import type { PlatformClient } from "../../api/client";
import { messageOf } from "../../api/errors";
import type { IdempotencyRecords } from "../kind/mutation";
import { hashOf, type Journal, newNumber } from "../ownership/journal";

/** What the records of one call are made of. */
interface RecordsOptions {
  readonly journal: Journal;
  readonly client: PlatformClient;
  /** Tells the account from others. */
  readonly account: string;
  readonly kind: string;
  readonly warn: (text: string) => void;
}

/** Records of changes that must not be sent twice, in the journal, by the object that they change. */
export function idempotencyRecords({ journal, client, account, kind, warn }: RecordsOptions): IdempotencyRecords {
  return {
    find: async ({ objectId, idempotencyKey }) => {
      const suits = { kind, account, objectId, idempotencyKey: hashOf(idempotencyKey) };
      const found = await journal.interruptedChange(suits);
      if (found === undefined) return undefined;
      return { number: found.number, before: found.before, sentAt: new Date(found.sentAt ?? found.writtenAt) };
    },
    write: async ({ objectId, idempotencyKey, before }) => {
      await journal.settleChangesOf(objectId);
      const number = newNumber();
      const sentAt = client.serverClock.now();
      await journal
        .beginChange({
          is: "change",
          number,
          kind,
          account,
          sentAt: sentAt.toISOString(),
          objectId,
          idempotencyKey: hashOf(idempotencyKey),
          before,
        })
        .catch((error: unknown) => {
          warn(
            `This change could not be recorded on this machine. If the run is interrupted, the next one makes it again: ${messageOf(error)}`,
          );
        });
      return { number, before, sentAt };
    },
    discard: ({ number }) => journal.settle(number),
  };
}
