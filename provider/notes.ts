import { createHash } from "node:crypto";

import type { PlatformClient } from "../api/client";
import { messageOf } from "../api/errors";
import type { Notes } from "./context";
import type { Journal } from "./journal";
import { newMark, ownerOf } from "./mark";

/** What the notes of one call are made of. */
export interface NotesOptions {
  readonly journal: Journal;
  readonly client: PlatformClient;
  readonly kind: string;
  readonly urn: string;
  readonly warn: (text: string) => void;
}

/** A resource's notes in the journal, of changes that must not be made twice. */
export function notesOf({ journal, client, kind, urn, warn }: NotesOptions): Notes {
  const owner = ownerOf(urn);
  const { apiUrl } = client;
  return {
    find: async (wish) => {
      const found = (await journal.changes(owner, apiUrl)).find(({ change }) => change.wish === hashOf(wish));
      return (
        found && {
          number: found.attempt,
          before: found.change.before,
          sentAt: new Date(found.sentAt ?? found.writtenAt),
        }
      );
    },
    write: async ({ wish, before }) => {
      await journal.settleChanges(owner);
      const mark = newMark(urn);
      const sentAt = client.platformTime();
      const change = { wish: hashOf(wish), before };
      await journal.write({ kind, ...mark, apiUrl, sentAt: sentAt.toISOString(), change }).catch((error: unknown) => {
        warn(
          `This change could not be noted on this machine, so that the next run makes it again if this one is interrupted: ${messageOf(error)}`,
        );
      });
      return { number: mark.attempt, before, sentAt };
    },
    discard: ({ number }) => journal.settle(owner, number),
  };
}

/** A program may make its triggers of anything, and the journal holds no secret. */
function hashOf(wish: string): string {
  return createHash("sha256").update(wish).digest("hex").slice(0, 24);
}
