import { messageOf, PlatformError } from "../../api/errors";
import { auth } from "../../api/schemas/user";
import { type Context, type CreationRecord, secondSlack } from "../kind/context";
import { differences } from "../kind/differences";
import { ruleFor } from "../kind/field-rules";
import type { Found } from "../kind/found";
import { type Kind, projectOf } from "../kind/kind";
import type { Values } from "../kind/values";
import { type CreationEntry, isExpired } from "../ownership/journal";
import { hashOfUrn, newTag, parseTag, tagText } from "../ownership/tag";
import type { CreateCall } from "./adoption";
import type { Services } from "./services";

/** How far the platform's clock may be off what its last answer told, in milliseconds: the tag decides, not the time. */
const clockSlack = 600_000;

/**
 * How long after it was sent a creation can still take effect, in milliseconds. What appeared later is somebody else's, if
 * nothing but name and time tells.
 */
const effectWithin = 600_000;

/** An object that an interrupted creation may have made. */
interface Candidate<Outputs> {
  readonly entry: CreationEntry;
  readonly found: Partial<Outputs>;
}

/** An object that an interrupted run created and nobody has recorded. */
export interface Orphan<Outputs> {
  readonly base: Found<Outputs>;
  readonly entry: CreationEntry;
  /** Whether no operation has ended badly since the creation was sent. */
  readonly endedWell: boolean;
}

/**
 * How objects are found again that this very stack created in a run that was killed. An open journal entry is the only
 * evidence of that: neither a URN nor a name is.
 */
export class Recovery<Inputs, Outputs extends object> {
  readonly #kind: Kind<Inputs, Outputs>;
  readonly #services: Services;

  constructor(kind: Kind<Inputs, Outputs>, services: Services) {
    this.#kind = kind;
    this.#services = services;
  }

  /** The entries of this resource's interrupted creations, oldest first. */
  async interrupted(context: Context, urn: string, account: string): Promise<readonly CreationEntry[]> {
    const all = (await this.#ofStack(urn, account)).filter(({ urnHash }) => urnHash === hashOfUrn(urn));
    // This machine's clock may have been set since: it only tells whether it is worth asking.
    if (!all.some((one) => isExpired(one, context.client.clock.date()))) return all;
    await learnTime(context);
    const expired = all.filter((one) => isExpired(one, context.client.serverClock.now()));
    for (const { number } of expired) await this.#services.journal.settle(number);
    return all.filter((one) => !expired.includes(one));
  }

  /** The entries of all interrupted creations of this kind in this stack. */
  #ofStack(urn: string, account: string): Promise<readonly CreationEntry[]> {
    const { journal, stack } = this.#services;
    return journal.interrupted({ kind: this.#kind.name, account, stack: stack(urn) });
  }

  /**
   * Warns of objects that interrupted runs of this stack created for resources that the program no longer declares: no
   * create of theirs will ever look for them. Best effort.
   */
  async warnOfOrphans(call: CreateCall<Inputs>, account: string): Promise<void> {
    const { noun, id } = this.#kind;
    const elsewhere = (await this.#ofStack(call.urn, account)).filter(
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

  /** The object that one of these creations has made, if any has and nobody else is known to have it. */
  async recoverOrphan(
    call: CreateCall<Inputs>,
    entries: readonly CreationEntry[],
  ): Promise<Orphan<Outputs> | undefined> {
    const { context } = call;
    for await (const { entry, found } of this.#candidates(call, entries)) {
      const present = await this.#kind.read(context, found);
      if (present === undefined || (entry.returned === true && !this.#isAsDeclared(present, call.inputs))) continue;
      const endedWell = await context.goOn(projectOf(this.#kind, found), sinceOf(entry));
      const outputs = await this.#kind.read(context, found);
      if (outputs !== undefined) return { base: { id: this.#kind.id(outputs), outputs }, entry, endedWell };
    }
    return undefined;
  }

  /**
   * Whether an object is what the program declares. One that the engine was given can be in the state under another URN by
   * now, and then it is not to be changed.
   */
  #isAsDeclared(present: Outputs, inputs: Values): boolean {
    const { rules } = this.#kind;
    const different = differences(this.#kind, present as Values, [], inputs);
    return different.every((path) => ruleFor(rules, path).platform !== undefined);
  }

  async *#candidates(call: CreateCall<Inputs>, entries: readonly CreationEntry[]): AsyncGenerator<Candidate<Outputs>> {
    const kind = this.#kind;
    for (const candidate of await this.#certain(call, entries)) {
      if (!isSecretOnce(kind)) yield candidate;
      else await this.#deleteAnswered(call.context, candidate);
    }
    const unanswered = entries.filter(({ objectId }) => objectId === undefined);
    const [first] = unanswered;
    if (first === undefined || kind.recovery.by === "tag") return;
    const found = await this.#appeared(call, unanswered);
    if (isSecretOnce(kind)) for (const one of found) await this.#deleteUseless(call.context, one);
    else if (found[0] !== undefined) yield { entry: first, found: found[0] };
  }

  /** What these creations have made for certain: those that learned the id, and those whose tag is found. */
  async #certain(
    { context, parsed }: CreateCall<Inputs>,
    entries: readonly CreationEntry[],
  ): Promise<readonly Candidate<Outputs>[]> {
    const { recovery, address } = this.#kind;
    // What the platform does not report is as declared.
    const answered = entries.flatMap((entry) =>
      entry.objectId === undefined
        ? []
        : [{ entry, found: { ...(parsed as Partial<Outputs>), ...address(entry.objectId) } }],
    );
    const unanswered = entries.filter(({ objectId }) => objectId === undefined);
    const since = new Date(sinceOf(unanswered[0]).getTime() - clockSlack);
    const tagged = recovery.by === "tag" && unanswered.length > 0 ? await recovery.list(context, parsed, since) : [];
    const ofTag = tagged.flatMap(({ tag, found }) => {
      const entry = unanswered.find(({ number }) => number === parseTag(tag)?.creationId);
      return entry === undefined ? [] : [{ entry, found }];
    });
    return [...answered, ...ofTag].filter(({ found }) => this.#isFree(found));
  }

  /** What appeared under the natural key of these inputs since these creations were sent. */
  async #appeared(
    { context, parsed }: CreateCall<Inputs>,
    entries: readonly CreationEntry[],
  ): Promise<readonly Partial<Outputs>[]> {
    const kind = this.#kind;
    const all = await this.#unclaimed(context, parsed, sinceOf(entries[0]));
    const timely = await Promise.all(
      all.map(async (one) => {
        const appearedAt = timeOf(await kind.read(context, one));
        const isTimely =
          appearedAt === undefined ||
          entries.some(({ sentAt }) => sentAt === undefined || appearedAt <= Date.parse(sentAt) + effectWithin);
        return isTimely ? [one] : [];
      }),
    ).then((lists) => lists.flat());
    const most = isSecretOnce(kind) ? entries.length : 1;
    if (timely.length <= most) return timely;
    const list = timely.map((one) => kind.id(one)).join(", ");
    context.warn(
      `An interrupted run of this stack may have created one of these ${kind.noun}s: ${list}. Nothing tells which, so they were left unchanged, and a new one is created. Delete those that nothing uses.`,
    );
    return [];
  }

  /** Objects of this natural key that appeared since then and that no resource of this run has. */
  async #unclaimed(context: Context, parsed: Inputs, since: Date): Promise<readonly Partial<Outputs>[]> {
    const { recovery } = this.#kind;
    if (recovery.by !== "naturalKey") return [];
    const all = await recovery.list(context, parsed, new Date(since.getTime() - secondSlack));
    return all.filter((found) => this.#isFree(found));
  }

  #isFree(found: Partial<Outputs>): boolean {
    const { name, id } = this.#kind;
    return this.#services.registry.claimsTo({ kind: name, id: id(found) }).length === 0;
  }

  /** An object whose secret went with the run that created it, and whose id that run has learned. */
  async #deleteAnswered(context: Context, { entry, found }: Candidate<Outputs>): Promise<void> {
    const kind = this.#kind;
    const outputs = await kind.read(context, found);
    if (outputs === undefined) return;
    if (entry.returned !== true) return this.#deleteUseless(context, outputs);
    // The engine was given it: another resource of the stack may have it by now.
    context.warn(
      `An interrupted run created the ${kind.noun} ${kind.id(outputs)}. It was not revoked, because the state may hold it under another name. Revoke it if nothing uses it.`,
    );
  }

  async #deleteUseless(context: Context, found: Partial<Outputs>, creator = "An interrupted run"): Promise<void> {
    const kind = this.#kind;
    await kind.remove(context, found as Outputs);
    context.warn(
      `${creator} created the ${kind.noun} ${kind.id(found)}. Its secret is lost, so it was revoked, and a new one is created.`,
    );
  }

  /**
   * The record of the one creation of a call.
   *
   * @param superseded entries of interrupted creations that are of no use once this one is recorded
   */
  record(
    { urn, parsed }: Pick<CreateCall<Inputs>, "urn" | "parsed">,
    account: string,
    superseded: () => readonly CreationEntry[],
  ): CreationRecord<Outputs> & { readonly number: string } {
    const { journal, stack } = this.#services;
    const kind = this.#kind;
    const tag = newTag(urn);
    const number = tag.creationId;
    let sentAt = (): Date => new Date(0);
    return {
      number,
      begin: async (context) => {
        const { client } = context;
        // By it a later run knows how far back it has to search, and what was there before.
        await learnTime(context);
        sentAt = client.serverClock.capture();
        const entry = {
          is: "creation" as const,
          number,
          kind: kind.name,
          account,
          stack: stack(urn),
          urnHash: tag.urnHash,
          ...(client.serverClock.isSynchronized ? { sentAt: sentAt().toISOString() } : {}),
        };
        const earlier = superseded().map((one) => one.number);
        await journal.beginCreation(entry, earlier).catch((error: unknown) => {
          context.warn(
            `This creation could not be recorded on this machine. If the run is interrupted, the object may have to be adopted by hand: ${messageOf(error)}`,
          );
        });
        return tagText(tag);
      },
      locate: async (context) => {
        await learnTime(context);
        const since = new Date(sentAt().getTime() - clockSlack);
        const found =
          kind.recovery.by === "tag"
            ? (await kind.recovery.list(context, parsed, since)).find((one) => one.tag === tagText(tag))?.found
            : onlyOne(kind.noun, kind.id, await this.#unclaimed(context, parsed, sentAt()));
        const outputs = found === undefined ? undefined : await kind.read(context, found);
        return outputs === undefined ? undefined : { id: kind.id(outputs), outputs };
      },
      answered: ({ id }) => journal.answered(number, id),
      ...(isSecretOnce(kind)
        ? {
            deleteUseless: (context: Context, { outputs }: Found<Outputs>) =>
              this.#deleteUseless(context, outputs, "A request whose answer was lost"),
          }
        : {}),
      discard: () => journal.settle(number),
    };
  }
}

function isSecretOnce<Inputs, Outputs>({ recovery }: Pick<Kind<Inputs, Outputs>, "recovery">): boolean {
  return recovery.by === "naturalKey" && recovery.secretOnce === true;
}

/** The only one of these. With several, nobody can tell which of them this creation has made. */
function onlyOne<Outputs>(
  noun: string,
  idOf: (outputs: Outputs) => string,
  all: readonly Outputs[],
): Outputs | undefined {
  if (all.length <= 1) return all[0];
  throw new PlatformError(
    "invalid",
    `Several ${noun}s appeared at the same time: ${all.map(idOf).join(", ")}. Delete those that nothing manages, or declare another name.`,
    undefined,
  );
}

/** Since when, by the platform's clock, a creation can have made something: where that is not known, since ever. */
function sinceOf(entry: Pick<CreationEntry, "sentAt"> | undefined): Date {
  return new Date(entry?.sentAt ?? 0);
}

/** When an object appeared, by the platform's clock, if it tells that. */
function timeOf(outputs: object | undefined): number | undefined {
  const { createdAt, grantedAt = createdAt } = (outputs ?? {}) as { createdAt?: unknown; grantedAt?: unknown };
  const time = typeof grantedAt === "string" ? Date.parse(grantedAt) : NaN;
  return Number.isFinite(time) ? time : undefined;
}

/** Has the platform tell its time, which it does with any answer: with a refusal as well. */
async function learnTime(context: Context): Promise<void> {
  const { client } = context;
  if (client.serverClock.isSynchronized) return;
  await context.read(auth.get()).catch((error: unknown) => {
    if (!client.serverClock.isSynchronized) throw error;
  });
}
