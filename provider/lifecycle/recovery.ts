import { invalid, messageOf, withoutStop } from "../../api/errors";
import { auth } from "../../api/schemas/user";
import type { Context } from "../kind/context";
import { differences, uniqueInputs } from "../kind/differences";
import { ruleFor } from "../kind/field-rules";
import { type AnyKind, projectOf } from "../kind/kind";
import type { CreationRecord } from "../kind/mutation";
import { secondSlack } from "../kind/sender";
import type { Values } from "../kind/values";
import { type CreationEntry, isExpired } from "../ownership/journal";
import { hashOfUrn, newTag, parseTag, tagText } from "../ownership/ownership-tag";
import type { Adoption } from "./adoption";
import type { CreateCall } from "./create-call";
import { latestEffectOf, otherCreator, type SentCreation, sinceOf, timeOf } from "./effect-time";
import { repair } from "./failure";
import { naturalKeyOf } from "./natural-key";
import type { Services } from "./services";

/** How far the platform's clock may be off its last response, in milliseconds: the tag decides, not the time. */
const clockSlack = 600_000;

/** An object that an interrupted creation may have made. */
interface Candidate {
  readonly entry: CreationEntry;
  readonly found: Values;
}

/** An object that an interrupted run created and that no state holds. */
interface Orphan {
  readonly outputs: Values;
  readonly entry: CreationEntry;
  /** Whether no operation has failed since the creation was sent. */
  readonly succeeded: boolean;
}

/**
 * Finds the objects that this stack created in a run that was killed. An open journal entry is the only evidence of such
 * an object: neither a URN nor a name is.
 */
export class Recovery {
  readonly #kind: AnyKind;
  readonly #services: Services;
  readonly #adoption: Adoption;

  constructor(kind: AnyKind, services: Services, adoption: Adoption) {
    this.#kind = kind;
    this.#services = services;
    this.#adoption = adoption;
  }

  /**
   * The entries of this resource's interrupted creations, oldest first.
   *
   * @throws PlatformError if another run of this stack is creating this resource. The lock of the stack excludes that, unless
   * somebody has removed it
   */
  async interrupted({ context, urn, account }: CreateCall): Promise<readonly CreationEntry[]> {
    const { journal, stack } = this.#services;
    const { name, noun } = this.#kind;
    const isOfThis = ({ urnHash }: CreationEntry): boolean => urnHash === hashOfUrn(urn);
    const found = await journal.creations({ kind: name, account, stack: stack(urn) });
    if (found.inProgress.some(isOfThis)) {
      throw invalid(`Another run of this stack is active, and is creating this ${noun}`, {
        fix: "Wait until that run has ended, or stop it. Then run the same command again.",
      });
    }
    const all = found.interrupted.filter(isOfThis);
    // The machine's clock may have been set since: it only tells whether asking for the platform's time is worthwhile.
    if (!all.some((one) => isExpired(one, context.client.clock.date()))) return all;
    await learnTime(context);
    const expired = all.filter((one) => isExpired(one, context.client.serverClock.now()));
    for (const { number } of expired) await journal.settle(number);
    return all.filter((one) => !expired.includes(one));
  }

  /** The entries of all interrupted creations of this kind in this stack. */
  #ofStack(urn: string, account: string): Promise<readonly CreationEntry[]> {
    const { journal, stack } = this.#services;
    return journal.interrupted({ kind: this.#kind.name, account, stack: stack(urn) });
  }

  /**
   * Warns of objects that interrupted runs of this stack created for resources that the program no longer declares: no
   * create will ever search for them. Best effort.
   */
  async warnOfOrphans(call: CreateCall): Promise<void> {
    const { noun, id } = this.#kind;
    const elsewhere = (await this.#ofStack(call.urn, call.account)).filter(
      ({ urnHash }) => !this.#services.program.declares(urnHash),
    );
    for (const { objectId, sentAt } of this.#kind.recovery.by === "tag" ? [] : elsewhere) {
      if (objectId !== undefined) continue;
      call.context.warn(
        `An interrupted run of this stack may have created one more ${noun} at ${sentAt ?? "an unknown time"}, for a resource that the program does not declare, or has not declared so far. If there is one that nothing manages when this run is over, delete it.`,
      );
    }
    const orphans = new Set((await this.#certain(call, elsewhere).catch(() => [])).map(({ found }) => id(found)));
    for (const orphan of orphans) {
      call.context.warn(
        `An interrupted run of this stack created the ${noun} ${orphan} for a resource that the program does not declare, or has not declared so far. Delete it if nothing manages it when this run is over.`,
      );
    }
  }

  /** Recovers the object that one of these creations has created, if nobody else is known to have it. */
  async recover(call: CreateCall, entries: readonly CreationEntry[]): Promise<Values | undefined> {
    const orphan = await this.#findOrphan(call, entries);
    if (orphan === undefined) return undefined;
    const { context, urn, inputs } = call;
    const kind = this.#kind;
    const { outputs, entry } = orphan;
    const id = kind.id(outputs);
    const obstacle = this.#adoption.obstacle(inputs, outputs, true);
    if (obstacle !== undefined) {
      context.warn(
        `An interrupted run created the ${kind.noun} ${id}. It was not recovered: ${obstacle} Delete it if nothing manages it.`,
      );
      return undefined;
    }
    this.#adoption.claim(urn, outputs, entry.number);
    this.#services.journal.recovered(entry);
    context.progress.object = { id, outputs, creationId: entry.number };
    context.warn(
      kind.recovery.by === "tag" || entry.objectId !== undefined
        ? `An interrupted run created the ${kind.noun} ${id}. It was recovered.`
        : `The ${kind.noun} ${id} appeared when an interrupted run sent its request, and is as declared. It was recovered.`,
    );
    const finished = await this.#finish(context, orphan);
    context.progress.object = { id, outputs: finished, creationId: entry.number };
    return finished;
  }

  /** Finishes what the interrupted run has begun. */
  async #finish(context: Context, { outputs, succeeded }: Orphan): Promise<Values> {
    const kind = this.#kind;
    const { progress } = context;
    let present = outputs;
    if (!succeeded) {
      await repair(kind, context, outputs, "create", "The run that created it was interrupted");
      const known = { ...outputs, ...progress.learned };
      present = (await kind.read(context, known)) ?? known;
    }
    await kind.complete?.(context, present);
    return { ...present, ...progress.learned };
  }

  async #findOrphan(call: CreateCall, entries: readonly CreationEntry[]): Promise<Orphan | undefined> {
    const { context } = call;
    for await (const { entry, found } of this.#candidates(call, entries)) {
      const present = await this.#kind.read(context, found);
      if (present === undefined || !this.#fits(present, [entry], call.inputs)) continue;
      const succeeded = await context.resumeInterrupted(
        projectOf(this.#kind, found),
        { ...call.parsed, ...found },
        sinceOf(entry),
      );
      const outputs = await this.#kind.read(context, found);
      if (outputs !== undefined) return { outputs, entry, succeeded };
    }
    return undefined;
  }

  async *#candidates(call: CreateCall, entries: readonly CreationEntry[]): AsyncGenerator<Candidate> {
    const kind = this.#kind;
    const certain = await this.#certain(call, entries);
    for (const candidate of certain) {
      if (this.#mayBeSaved(candidate, call.urn)) await this.#leave(call.context, candidate);
      else if (!isSecretOnce(kind)) yield candidate;
      else await this.#revoke(call.context, candidate.found);
    }
    const unanswered = entries.filter(({ objectId }) => objectId === undefined);
    const [first] = unanswered;
    if (first === undefined) return;
    if (kind.recovery.by === "tag") {
      const unfound = unanswered.filter((one) => !certain.some(({ entry }) => entry === one));
      this.#warnOfPending(call, unfound);
      return;
    }
    const found = await this.#appeared(call, unanswered);
    if (found !== undefined) yield { entry: first, found };
  }

  /**
   * Warns of requests without a result that may still be on their way. The call creates an object: a second one appears
   * if the platform does not refuse it.
   */
  #warnOfPending({ context, parsed }: CreateCall, unfound: readonly CreationEntry[]): void {
    const kind = this.#kind;
    if (uniqueInputs(kind, parsed).length > 0) return;
    const now = context.client.serverClock.now().getTime();
    for (const entry of unfound.filter((one) => now <= latestEffectOf(one))) {
      context.warn(
        `An interrupted run of this stack sent a request for this ${kind.noun} at ${entry.sentAt ?? entry.writtenAt}, which can still take effect. Look for a second ${kind.noun} of the same name in a minute, and ${isSecretOnce(kind) ? "revoke" : "delete"} it if nothing uses it.`,
      );
    }
  }

  /** The objects that these creations have certainly created: their id is recorded, or they carry the tag. */
  async #certain({ context, parsed }: CreateCall, entries: readonly CreationEntry[]): Promise<readonly Candidate[]> {
    const { recovery, address } = this.#kind;
    // Properties that the platform does not report are as declared.
    const answered = entries.flatMap((entry) =>
      entry.objectId === undefined ? [] : [{ entry, found: { ...parsed, ...address(entry.objectId) } }],
    );
    const unanswered = entries.filter(({ objectId }) => objectId === undefined);
    const since = new Date(sinceOf(unanswered[0]).getTime() - clockSlack);
    const tagged = recovery.by === "tag" && unanswered.length > 0 ? await recovery.list(context, parsed, since) : [];
    const ofTag = tagged.flatMap(({ tag, found }) => {
      const entry = unanswered.find(({ number }) => number === parseTag(tag)?.creationId);
      return entry === undefined ? [] : [{ entry, found }];
    });
    return [...answered, ...ofTag].filter(
      ({ entry, found }) => this.#isFree(found) && this.#isSaved(entry, found) !== true,
    );
  }

  /**
   * The object with the natural key of these inputs that appeared when these creations were sent. Another program may have
   * created one at the same time: only what is already as declared counts, and nothing that a state holds. What cannot be
   * told apart, or is useless without its secret, is named.
   */
  async #appeared(call: CreateCall, entries: readonly CreationEntry[]): Promise<Values | undefined> {
    const { context } = call;
    const kind = this.#kind;
    const { fitting, uncertain } = await this.#fitting(call, entries);
    const all = [...fitting, ...uncertain];
    if (all.length === 0) this.#warnOfPending(call, entries);
    if (isSecretOnce(kind)) {
      for (const one of all) this.#nameUseless(context, one);
      return undefined;
    }
    if (uncertain.length === 0 && fitting.length <= 1) return fitting[0];
    const list = all.map((one) => kind.id(one)).join(", ");
    context.warn(
      `An interrupted run of this stack may have created one of these ${kind.noun}s: ${list}. It is not known which, so none of them was changed, and a new one is created. Delete those that nothing uses.`,
    );
    return undefined;
  }

  /**
   * The objects that can be the result of one of these creations, of which the first is the oldest. Uncertain are those that can
   * be the result of another resource's creation, too.
   */
  async #fitting(
    { context, urn, parsed, inputs }: CreateCall,
    creations: readonly SentCreation[],
  ): Promise<{ readonly fitting: readonly Values[]; readonly uncertain: readonly Values[] }> {
    const kind = this.#kind;
    const [first] = creations;
    if (first === undefined || kind.recovery.by !== "naturalKey") return { fitting: [], uncertain: [] };
    const all = await kind.recovery.list(context, parsed, new Date(sinceOf(first).getTime() - secondSlack));
    const [fitting, uncertain]: [Values[], Values[]] = [[], []];
    const key = naturalKeyOf(kind, parsed);
    for (const one of all.filter((found) => this.#isFree(found) && this.#isSaved(first, found) !== true)) {
      const present = await kind.read(context, one);
      if (present === undefined || !this.#fits(present, creations, inputs)) continue;
      const creator = await this.#otherCreator(urn, key, present);
      if (creator !== "certain") (creator === undefined ? fitting : uncertain).push(one);
    }
    return { fitting, uncertain };
  }

  /**
   * Whether an object can be the result of one of these creations. Its tag proves that. Otherwise another object may have its
   * name by now: it must have appeared in time, and be as declared where its id is not recorded or its time not reported.
   */
  #fits(present: Values, entries: readonly SentCreation[], inputs: Values): boolean {
    const { rules, recovery } = this.#kind;
    if (recovery.by === "tag") return true;
    const appearedAt = timeOf(present);
    if (!entries.some((entry) => appearedAt === undefined || appearedAt <= latestEffectOf(entry))) return false;
    if (appearedAt !== undefined && entries.every(({ objectId }) => objectId !== undefined)) return true;
    const different = differences(this.#kind, present, [], inputs);
    return different.every((path) => ruleFor(rules, path).platform !== undefined);
  }

  /** Whether another resource of this machine has created the object, or may be creating it right now. */
  async #otherCreator(urn: string, key: string, found: Values): Promise<"certain" | "possible" | undefined> {
    const { journal, stack } = this.#services;
    const [own, urnHash] = [stack(urn), hashOfUrn(urn)];
    const isOwn = (one: CreationEntry): boolean => one.stack === own && one.urnHash === urnHash;
    const others = await journal.ofOtherProcesses(this.#kind.name);
    return otherCreator(others, isOwn, { id: this.#kind.id(found), key, found });
  }

  #isFree(found: Values): boolean {
    const { name, id } = this.#kind;
    return this.#services.registry.claimsTo({ kind: name, id: id(found) }).length === 0;
  }

  /**
   * Whether a state may hold the object, or have held it: the engine received it, and the saved states do not show that it
   * was killed before it saved the result. They cannot prove enough to revoke a key, which cannot be undone.
   */
  #mayBeSaved({ entry, found }: Candidate, urn: string): boolean {
    if (entry.returned !== true) return false;
    const isUnsaved = this.#isSaved(entry, found) === false && this.#services.savedStates.wasCreating(urn) !== false;
    return isSecretOnce(this.#kind) || !isUnsaved;
  }

  /** Whether a state that was saved after the creation began holds what may be its result. */
  #isSaved({ writtenAt }: SentCreation, found: Values): boolean | undefined {
    const { name, id } = this.#kind;
    return this.#services.savedStates.heldSince(new Date(writtenAt))?.has({ kind: name, id: id(found) });
  }

  /** Leaves an object alone that a state may hold. An object with a tag is named by whatever meets it next. */
  async #leave(context: Context, { found }: Candidate): Promise<void> {
    const kind = this.#kind;
    if (kind.recovery.by === "tag" || (await kind.read(context, found)) === undefined) return;
    const [left, remedy] = isSecretOnce(kind)
      ? ["It was not revoked", "Revoke it if nothing uses it."]
      : ["It was not recovered", "Delete it if nothing manages it."];
    context.warn(
      `An interrupted run created the ${kind.noun} ${kind.id(found)}. ${left}, because a state may hold it. ${remedy}`,
    );
  }

  /** Revokes a key whose secret is lost with the run that created it, and that certainly nobody else has. */
  async #revoke(context: Context, found: Values): Promise<void> {
    const kind = this.#kind;
    const present = await kind.read(context, found);
    if (present === undefined) return;
    await kind.remove(context, present);
    context.warn(
      `An interrupted run created the ${kind.noun} ${kind.id(found)}. Its secret is lost, so it was revoked, and a new one is created.`,
    );
  }

  /** Names a key that appeared when a creation was sent whose response is lost. */
  #nameUseless(context: Context, found: Values): void {
    const { noun, id } = this.#kind;
    context.warn(
      `The ${noun} ${id(found)} appeared when a request was sent whose response is lost. It was not revoked, because another program may have created it with the same name at that time. Revoke it if nothing uses it.`,
    );
  }

  /**
   * The record of the one creation of a call.
   *
   * @param superseded entries of interrupted creations that are not needed once this one is settled
   */
  record(call: CreateCall, superseded: readonly CreationEntry[]): CreationRecord {
    const { context, urn, account, parsed } = call;
    const { journal, stack } = this.#services;
    const kind = this.#kind;
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
            : theOne(kind, (await this.#fitting(call, [sent()])).fitting);
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
          const { fitting } = await this.#fitting(call, [sent()]);
          for (const one of fitting) this.#nameUseless(context, one);
        },
      }),
      discard: () => journal.discard(creationId),
    };
  }
}

/** Whether only the response to the creation contains the secret. */
export function isSecretOnce({ recovery }: AnyKind): boolean {
  return recovery.by === "naturalKey" && recovery.secretOnce === true;
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

/** Learns the platform's time from any response, even from an error. */
async function learnTime(context: Context): Promise<void> {
  const { client } = context;
  if (client.serverClock.isSynchronized) return;
  await context.read(auth.get()).catch((error: unknown) => {
    if (!client.serverClock.isSynchronized) throw error;
  });
}
