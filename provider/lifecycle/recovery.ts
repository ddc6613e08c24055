import { invalid } from "../../api/errors";
import type { Context } from "../kind/context";
import { uniqueInputs } from "../kind/differences";
import { type AnyKind, isSecretOnce, projectOf } from "../kind/kind";
import type { Values } from "../kind/values";
import { type CreationEntry, isExpired } from "../ownership/journal";
import { hashOfUrn } from "../ownership/ownership-tag";
import type { Adoption } from "./adoption";
import type { CreateCall } from "./create-call";
import { type Candidate, type CreationSearch, nameUseless } from "./creation-search";
import { latestEffectOf, learnTime, sinceOf } from "./effect-time";
import { repair } from "./failure";
import type { Services } from "./services";

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
  readonly #search: CreationSearch;

  constructor(kind: AnyKind, services: Services, adoption: Adoption, search: CreationSearch) {
    this.#kind = kind;
    this.#services = services;
    this.#adoption = adoption;
    this.#search = search;
  }

  /**
   * The entries of this resource's interrupted creations, oldest first.
   *
   * @throws NeonError if another run of this stack is creating this resource. The lock of the stack excludes that, unless
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
    const orphans = new Set(
      (await this.#search.certain(call, elsewhere).catch(() => [])).map(({ found }) => id(found)),
    );
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
      if (present === undefined || !this.#search.fits(present, [entry], call.inputs)) continue;
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
    const certain = await this.#search.certain(call, entries);
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

  /**
   * The object with the natural key of these inputs that appeared when these creations were sent. Another program may have
   * created one at the same time: only what is already as declared counts, and nothing that a state holds. What cannot be
   * told apart, or is useless without its secret, is named.
   */
  async #appeared(call: CreateCall, entries: readonly CreationEntry[]): Promise<Values | undefined> {
    const { context } = call;
    const kind = this.#kind;
    const { fitting, uncertain } = await this.#search.fitting(call, entries);
    const all = [...fitting, ...uncertain];
    if (all.length === 0) this.#warnOfPending(call, entries);
    if (isSecretOnce(kind)) {
      for (const one of all) nameUseless(kind, context, one);
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
   * Whether a state may hold the object, or have held it: the engine received it, and the saved states do not show that it
   * was killed before it saved the result. They cannot prove enough to revoke a key, which cannot be undone.
   */
  #mayBeSaved({ entry, found }: Candidate, urn: string): boolean {
    if (entry.returned !== true) return false;
    const isUnsaved =
      this.#search.isSaved(entry, found) === false && this.#services.savedStates.wasCreating(urn) !== false;
    return isSecretOnce(this.#kind) || !isUnsaved;
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
}
