import type { SendOptions } from "../../api/client";
import { backoffDelay } from "../../api/core/backoff";
import { asSentence, hasStatus, type HttpError, invalid } from "../../api/core/errors";
import type { Request } from "../../api/core/request";
import type { ServerClock } from "../../api/server-clock";
import type { Call } from "../call/call";
import { Context, type Purpose } from "../call/context";
import type { Pending } from "../call/pending-work";
import type { Account, Services } from "../call/services";
import type { Owner } from "../call/visibility";
import { type AnyKind, type PreconditionRule, projectOf } from "../kind/kind";
import { naturalKeyOf, uniqueInputs } from "../kind/natural-key";
import type { Values } from "../values";
import { unmet, unusable } from "./errors";

/** A kind of resource, as this process serves it. */
export interface ServedKind {
  readonly kind: AnyKind;
  readonly services: Services;
}

/** What a call knows of its object when it begins. */
interface Known {
  /** Outputs of the object, or inputs of the one to be created. */
  readonly values?: Values;
  /** The owner of its project, as recorded in the state. */
  readonly owner?: Owner | undefined;
  /** What the kind has kept to tell later whether a change has been made. */
  readonly evidence?: Values | undefined;
}

/** A lock that a call has. */
interface HeldLock {
  readonly name: string | undefined;
  readonly what: string;
  readonly release: () => void;
}

/** How long to wait for what a kind requires while this process does not change the project, in milliseconds. */
const patience = 10_000;

/** One running call of the engine: what its kind's verbs see of it, and what only the lifecycle does. */
export class Work extends Context implements ServedKind {
  readonly kind: AnyKind;
  declare readonly services: Services;
  declare readonly account: Account;
  declare readonly call: Call;
  readonly #known: Known;
  #lock: HeldLock = { name: undefined, what: "", release: () => undefined };

  /** @throws NeonError `invalid` if a setting is missing or wrong */
  constructor({ kind, services }: ServedKind, call: Call, purpose: Purpose, known: Known = {}) {
    const { values = {}, owner, evidence } = known;
    const subject = { project: projectOf(kind, values), owner, isProject: kind.scope?.isProject === true };
    super(services, accountOf(services), call, subject, purpose);
    this.kind = kind;
    this.evidence = evidence;
    this.#known = known;
  }

  /** The platform's time. */
  get serverClock(): ServerClock {
    return this.client.serverClock;
  }

  /**
   * Sends a mutation. If the platform refuses it for lack of what the kind requires, it is sent again once that exists: this
   * run may still be creating it.
   */
  override async mutate<A>(request: Request<A>, beforeRetry?: SendOptions["beforeRetry"]): Promise<A> {
    try {
      return await super.mutate(request, beforeRetry);
    } catch (error) {
      const { precondition } = this.kind;
      if (precondition === undefined || !hasStatus(error, 412)) throw error;
      if (!(await this.meets(precondition))) await this.uncounted(() => this.#untilMet(precondition, error));
      await beforeRetry?.(error);
      return await super.mutate(request, beforeRetry);
    }
  }

  /** Whether what the kind requires exists. */
  meets({ isMet }: PreconditionRule<Values>): Promise<boolean> {
    return isMet(this, this.#known.values ?? {});
  }

  /**
   * Waits until what the kind requires exists, while this process changes the project and for a while after: another process
   * of the run may create it. Resources that the program no longer declares are deleted when all others have been created.
   *
   * @throws NeonError `invalid` if it does not come to exist
   */
  async #untilMet(precondition: PreconditionRule<Values>, error: HttpError): Promise<void> {
    const { clock } = this.client;
    const { locks, registry } = this.services;
    const { values = {} } = this.#known;
    const refused = unmet(this.kind, precondition, values, error);
    if (!registry.isDeclared(this.call.urn)) throw refused;
    const began = clock.now();
    let busyAt = began;
    const { name } = this.#lock;
    // Others could not create it otherwise.
    this.#lock.release();
    this.show(`waiting for a ${precondition.what} of ${precondition.of(values)}`);
    do {
      const now = clock.now();
      if (locks.isHeld(name)) busyAt = now;
      if (now - busyAt >= patience) throw refused;
      await clock.sleep(backoffDelay(now - began), this.call.signal);
    } while (!(await this.meets(precondition)));
    await this.#acquire(this.#lock);
  }

  /** Does some work while no other call of this process changes the project, or an object outside projects with this natural key. */
  async withLock<Result>(verb: string, values: Values, work: () => Promise<Result>): Promise<Result> {
    const { kind } = this;
    const isUnique = uniqueInputs(kind, values).length > 0;
    const lock =
      kind.scope?.lock?.(values) ?? projectOf(kind, values) ?? (isUnique ? naturalKeyOf(kind, values) : undefined);
    await this.#acquire({ name: lock, what: `${verb} ${kind.noun}` });
    try {
      return await work();
    } finally {
      this.show("");
      this.#lock.release();
    }
  }

  async #acquire({ name, what }: Pick<HeldLock, "name" | "what">): Promise<void> {
    const waiting = (holder: string): void => this.show(`waiting for ${holder}`);
    const release = await this.services.locks.acquire(name, what, waiting, this.call.signal);
    this.#lock = { name, what, release };
  }

  /**
   * Repairs the object after one of its operations has failed.
   *
   * @throws Error with the reason of the failure, if the creation failed and the object can never become usable
   */
  async repair(step: Pending["step"], reason: string): Promise<void> {
    const { usable, repair } = this.kind.finishing ?? {};
    const { outputs = {} } = this.progress.object ?? {};
    if (step === "create" && usable !== undefined && !(await usable(this, outputs))) throw unusable(reason);
    await repair?.(this, outputs);
  }

  /** @param recorded the owner of the object's project as the state says; a transfer can have changed it */
  async ownerOf(outputs: Values, recorded: Owner | undefined): Promise<Owner | undefined> {
    const project = projectOf(this.kind, outputs);
    return project === undefined ? undefined : await this.visibility.ownerOf(project, recorded);
  }
}

function accountOf(services: Services): Account {
  const account = services.account();
  if (!("problems" in account)) return account;
  const list = account.problems.map(({ property, reason }) => `${property} ${reason}`).join("; ");
  throw invalid(asSentence(list));
}
