import { messageOf } from "../../api/errors";
import { hashOf, newId } from "../ownership/ids";
import type { ChangeEntry, Journal } from "../ownership/journal";
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

/** The key of a change in records and in the state, which do not show the value of a trigger. */
export function keyOf({ idempotencyKey }: Once): string {
  return hashOf(idempotencyKey);
}

/** Records of changes that must not be sent twice, in the journal, by the object that they change. */
export class IdempotencyRecords {
  readonly #journal: Journal;
  readonly #scope: Pick<ChangeEntry, "kind" | "account">;

  /** @param scope the kind of the objects, and the fingerprint of the account */
  constructor(journal: Journal, scope: Pick<ChangeEntry, "kind" | "account">) {
    this.#journal = journal;
    this.#scope = scope;
  }

  /** The record of the same change by a run that has not recorded its result. */
  find(once: Once): Promise<ChangeEntry | undefined> {
    const { objectId } = once;
    return this.#journal.interruptedChange({ ...this.#scope, objectId, idempotencyKey: keyOf(once) });
  }

  /**
   * Records that the change is about to be sent; replaces earlier records of the object.
   *
   * @param now the platform's time
   * @returns the id of the record
   */
  async write(once: Once, now: Date, warn: (text: string) => void): Promise<string> {
    const { objectId, before } = once;
    await this.#journal.settleChangesOf(objectId);
    const id = newId();
    const change = { ...this.#scope, type: "change", id, objectId, before, idempotencyKey: keyOf(once) } as const;
    await this.#journal.beginChange({ ...change, sentAt: now.toISOString() }).catch((error: unknown) => {
      warn(
        `This change could not be recorded on this machine. If the run is interrupted, the next one makes it again: ${messageOf(error)}`,
      );
    });
    return id;
  }

  /** The change was certainly not made. */
  discard(id: string): Promise<void> {
    return this.#journal.settle(id);
  }
}
