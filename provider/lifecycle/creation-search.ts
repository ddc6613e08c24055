import type { Context } from "../kind/context";
import { differences } from "../kind/differences";
import { ruleFor } from "../kind/field-rules";
import type { AnyKind } from "../kind/kind";
import { secondSlack } from "../kind/sender";
import type { Values } from "../kind/values";
import type { CreationEntry } from "../ownership/journal";
import { hashOfUrn, parseTag } from "../ownership/ownership-tag";
import type { CreateCall } from "./create-call";
import { latestEffectOf, otherCreator, type SentCreation, sinceOf, timeOf } from "./effect-time";
import { naturalKeyOf } from "./natural-key";
import type { Services } from "./services";

/** How far the platform's clock may be off its last response, in milliseconds: the tag decides, not the time. */
export const clockSlack = 600_000;

/** An object that an interrupted creation may have made. */
export interface Candidate {
  readonly entry: CreationEntry;
  readonly found: Values;
}

/** Finds what creations have made of which no response was recorded in a state, and that nobody else is known to have. */
export class CreationSearch {
  readonly #kind: AnyKind;
  readonly #services: Services;

  constructor(kind: AnyKind, services: Services) {
    this.#kind = kind;
    this.#services = services;
  }

  /** The objects that these creations have certainly created: their id is recorded, or they carry the tag. */
  async certain({ context, parsed }: CreateCall, entries: readonly CreationEntry[]): Promise<readonly Candidate[]> {
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
      ({ entry, found }) => this.#isFree(found) && this.isSaved(entry, found) !== true,
    );
  }

  /**
   * The objects that can be the result of one of these creations, of which the first is the oldest. Uncertain are those that can
   * be the result of another resource's creation, too.
   */
  async fitting(
    { context, urn, parsed, inputs }: CreateCall,
    creations: readonly SentCreation[],
  ): Promise<{ readonly fitting: readonly Values[]; readonly uncertain: readonly Values[] }> {
    const kind = this.#kind;
    const [first] = creations;
    if (first === undefined || kind.recovery.by !== "naturalKey") return { fitting: [], uncertain: [] };
    const all = await kind.recovery.list(context, parsed, new Date(sinceOf(first).getTime() - secondSlack));
    const [fitting, uncertain]: [Values[], Values[]] = [[], []];
    const key = naturalKeyOf(kind, parsed);
    for (const one of all.filter((found) => this.#isFree(found) && this.isSaved(first, found) !== true)) {
      const present = await kind.read(context, one);
      if (present === undefined || !this.fits(present, creations, inputs)) continue;
      const creator = await this.#otherCreator(urn, key, present);
      if (creator !== "certain") (creator === undefined ? fitting : uncertain).push(one);
    }
    return { fitting, uncertain };
  }

  /**
   * Whether an object can be the result of one of these creations. Its tag proves that. Otherwise another object may have its
   * name by now: it must have appeared in time, and be as declared where its id is not recorded or its time not reported.
   */
  fits(present: Values, entries: readonly SentCreation[], inputs: Values): boolean {
    const { rules, recovery } = this.#kind;
    if (recovery.by === "tag") return true;
    const appearedAt = timeOf(present);
    if (!entries.some((entry) => appearedAt === undefined || appearedAt <= latestEffectOf(entry))) return false;
    if (appearedAt !== undefined && entries.every(({ objectId }) => objectId !== undefined)) return true;
    const different = differences(this.#kind, present, [], inputs);
    return different.every((path) => ruleFor(rules, path).platform !== undefined);
  }

  /** Whether a state that was saved after the creation began holds what may be its result. */
  isSaved({ writtenAt }: SentCreation, found: Values): boolean | undefined {
    const { name, id } = this.#kind;
    return this.#services.savedStates.heldSince(new Date(writtenAt))?.has({ kind: name, id: id(found) });
  }

  #isFree(found: Values): boolean {
    const { name, id } = this.#kind;
    return this.#services.registry.claimsTo({ kind: name, id: id(found) }).length === 0;
  }

  /** Whether another resource of this machine has created the object, or may be creating it right now. */
  async #otherCreator(urn: string, key: string, found: Values): Promise<"certain" | "possible" | undefined> {
    const { journal, stack } = this.#services;
    const [own, urnHash] = [stack(urn), hashOfUrn(urn)];
    const isOwn = (one: CreationEntry): boolean => one.stack === own && one.urnHash === urnHash;
    const others = await journal.ofOtherProcesses(this.#kind.name);
    return otherCreator(others, isOwn, { id: this.#kind.id(found), key, found });
  }
}

/** Names a key that appeared when a creation was sent whose response is lost. */
export function nameUseless({ noun, id }: AnyKind, context: Context, found: Values): void {
  context.warn(
    `The ${noun} ${id(found)} appeared when a request was sent whose response is lost. It was not revoked, because another program may have created it with the same name at that time. Revoke it if nothing uses it.`,
  );
}
