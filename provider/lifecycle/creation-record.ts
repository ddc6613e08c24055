import { invalid, messageOf, withoutStop } from "../../api/errors";
import { type AnyKind, isSecretOnce } from "../kind/kind";
import type { CreationRecord } from "../kind/mutation";
import type { Values } from "../kind/values";
import type { CreationEntry } from "../ownership/journal";
import { newTag, tagText } from "../ownership/ownership-tag";
import type { CreateCall } from "./create-call";
import { clockSlack, nameUseless } from "./creation-search";
import { learnTime, type SentCreation } from "./effect-time";
import { naturalKeyOf } from "./natural-key";
import type { KindRuntime } from "./runtime";

/**
 * The record of the one creation of a call, in the journal.
 *
 * @param superseded entries of interrupted creations that are not needed once this one is settled
 */
export function creationRecord(
  { kind, services: { journal, stack }, search }: KindRuntime,
  call: CreateCall,
  superseded: readonly CreationEntry[],
): CreationRecord {
  const { context, urn, account, parsed } = call;
  const tag = newTag(urn);
  const { creationId } = tag;
  let sentAt = (): Date => new Date(0);
  let writtenAt = "";
  let resentAt: string | undefined;
  const sent = (): SentCreation => ({ writtenAt, sentAt: sentAt().toISOString(), resentAt });
  return {
    creationId,
    idOf: kind.id,
    begin: async () => {
      const { client } = context;
      // A later run searches from this time on.
      await learnTime(context);
      sentAt = client.serverClock.capture();
      writtenAt = client.clock.date().toISOString();
      const entry = {
        is: "creation" as const,
        number: creationId,
        kind: kind.name,
        account,
        stack: stack(urn),
        urnHash: tag.urnHash,
        ...(kind.recovery.by === "naturalKey" ? { naturalKey: naturalKeyOf(kind, parsed) } : {}),
        ...(client.serverClock.isSynchronized ? { sentAt: sentAt().toISOString() } : {}),
      };
      const earlier = superseded.map(({ number }) => number);
      await journal.beginCreation(entry, earlier).catch((error: unknown) => {
        context.warn(
          `This creation could not be recorded on this machine (${withoutStop(messageOf(error))}). If the run is interrupted, you may have to adopt the object by hand.`,
        );
      });
      return tagText(tag);
    },
    locate: async () => {
      await learnTime(context);
      const since = new Date(sentAt().getTime() - clockSlack);
      const found =
        kind.recovery.by === "tag"
          ? (await kind.recovery.list(context, parsed, since)).find((one) => one.tag === tagText(tag))?.found
          : theOne(kind, (await search.fitting(call, [sent()])).fitting);
      return found === undefined ? undefined : kind.read(context, found);
    },
    resent: async () => {
      const now = context.client.serverClock.now();
      resentAt = now.toISOString();
      await journal.resent(creationId, now);
    },
    answered: (id) => journal.answered(creationId, id, context.client.serverClock.now()),
    ...(kind.recovery.by === "naturalKey" && {
      warnOfMatch: (found: Values) => {
        context.warn(
          `The ${kind.noun} ${kind.id(found)} appeared when a request was sent whose response is lost, and is as declared. It was taken for the result of the request. If another program created it, remove this resource with \`pulumi state delete\`.`,
        );
      },
    }),
    ...(isSecretOnce(kind) && {
      nameUseless: async () => {
        const { fitting } = await search.fitting(call, [sent()]);
        for (const one of fitting) nameUseless(kind, context, one);
      },
    }),
    discard: () => journal.discard(creationId),
  };
}

/** The only one of these. With several, it is not known which of them this creation has created. */
function theOne(kind: AnyKind, all: readonly Values[]): Values | undefined {
  // None of them is used.
  if (all.length <= 1 || isSecretOnce(kind)) return all[0];
  const { noun, id } = kind;
  throw invalid(
    `Several ${noun}s appeared at the same time: ${all.map(id).join(", ")}. Delete those that nothing manages, or declare another name.`,
  );
}
