import type { SendOptions } from "../../api/client";
import { backoffDelay } from "../../api/core/backoff";
import { asSentence, HttpError, invalid } from "../../api/core/errors";
import type { Request } from "../../api/core/request";
import type { Operation } from "../../api/schemas/operation";
import type { ServerClock } from "../../api/server-clock";
import type { Call } from "../call/call";
import { makeChange, type Overtaken } from "../call/change";
import type { Context, DeclaredResource, Kept, Purpose } from "../call/context";
import { deleteObject } from "../call/delete-object";
import type { Pending } from "../call/pending-work";
import { Progress } from "../call/progress";
import {
  hasEnded,
  hiddenBranch,
  type NamedBranch,
  ProjectOperations,
  recentOperationsOf,
} from "../call/project-operations";
import { Requests } from "../call/requests";
import type { Account, Services } from "../call/services";
import type { Owner } from "../call/visibility";
import { changesAt } from "../kind/differences";
import { withArticle } from "../kind/input-problems";
import { type AnyKind, projectOf, type Seen } from "../kind/kind";
import { naturalKeyOf, uniqueInputs } from "../kind/natural-key";
import { isLackOf, type PreconditionRule } from "../kind/options";
import type { Containment } from "../ownership/containers";
import type { Values } from "../values";
import { unmet, unusable } from "./errors";

/** A kind of resource, as this process serves it. */
export interface ServedKind {
  readonly kind: AnyKind;
  readonly services: Services;
}

/** What a call knows of its object when it begins. */
interface Known extends Containment, Kept {
  /** Outputs of the object, or inputs of the one to be created. */
  readonly values?: Values;
  /** The owner of its project, as recorded in the state. */
  readonly owner?: Owner | undefined;
}

/** A lock that a call has. */
interface HeldLock {
  readonly name: string | undefined;
  readonly what: string;
  readonly release: () => void;
}

/** How long a preview or a look waits for the platform, in milliseconds. */
const shortTimeout = 20_000;

/** How long to wait for what a kind requires while this process does not change the project, in milliseconds. */
export const patience = 10_000;

/** One running call of the engine: what its kind's verbs see of it, and what only the lifecycle does. */
export class Work implements Context, ServedKind {
  readonly kind: AnyKind;
  readonly services: Services;
  readonly account: Account;
  readonly call: Call;
  readonly purpose: Purpose;
  readonly orgId: string | undefined;
  readonly isRefresh: boolean;
  readonly readsSecrets: boolean;
  readonly visibility: Account["visibility"];
  readonly requests: Requests;
  readonly operations: ProjectOperations;
  readonly progress = new Progress();
  readonly resource: DeclaredResource;
  readonly kept: Kept;
  /** What the latest read of the object has seen. */
  seen: Seen;
  /** That of the object's contents, as the state is to keep it. */
  generation: Containment["generation"];
  readonly containers: Containment["containers"];
  /** Why the object is no longer the one that this call may change, if so. */
  overtaken: () => Promise<Overtaken | undefined> = () => Promise.resolve(undefined);
  /** The warnings of a read that has to be confirmed before. */
  unconfirmed: string[] | undefined;
  readonly #known: Known;
  readonly #warned = new Set<string>();
  #lock: HeldLock = { name: undefined, what: "", release: () => undefined };

  /** @throws NeonError `invalid` if a setting is missing or wrong */
  constructor({ kind, services }: ServedKind, call: Call, purpose: Purpose, known: Known = {}) {
    const account = accountOf(services);
    this.kind = kind;
    this.services = services;
    this.account = account;
    this.call = call;
    this.purpose = purpose;
    this.orgId = account.settings.orgId;
    this.isRefresh = purpose === "refresh";
    this.readsSecrets = this.isRefresh || purpose === "change";
    this.visibility = account.visibility;
    this.requests = new Requests({
      ...account,
      timeout: this.readsSecrets ? (call.timeout ?? account.settings.operationTimeout) : shortTimeout,
      signal: call.signal,
      progress: (text) => services.progress(call.urn, text),
      failures: services.failures,
      reads: purpose === "change" ? "alone" : "listed",
      limitsReads: purpose === "look",
    });
    this.operations = this.requests.operations;
    this.resource = {
      isRetained: call.isRetained,
      hasDeclared: changesAt(call.declaredBefore).has,
      isHeldByOther: (key) => services.registry.claimsOfOthers(key, call.urn).length > 0,
    };
    this.kept = known;
    this.seen = { latestOperation: known.latestOperation };
    this.progress.evidence = known.evidence;
    this.generation = known.generation;
    this.containers = known.containers;
    this.#known = known;
  }

  /** The platform's time. */
  get serverClock(): ServerClock {
    return this.account.client.serverClock;
  }

  readonly read: Context["read"] = (request) => this.requests.read(request);
  readonly pages: Context["pages"] = (request, pageSize) => this.requests.pages(request, pageSize);
  readonly recentOperations: Context["recentOperations"] = (project) =>
    this.account.lists.all(recentOperationsOf(project), this.call.urn);
  readonly readOne: Context["readOne"] = (collection, key) => this.requests.readOne(collection, key);
  readonly until: Context["until"] = (find, late) => this.requests.until(find, late);
  readonly change: Context["change"] = (change) => makeChange(this, change);
  readonly delete: Context["delete"] = (deletion) => deleteObject(this, deletion);
  readonly waitUntilIdle: Context["waitUntilIdle"] = (project) =>
    this.operations.waitUntilIdle(this.changedProject(project));

  /** Shows a text in the resource's row; an empty text clears the row. */
  show(text: string): void {
    this.requests.show(text);
  }

  warn(text: string): void {
    if (this.unconfirmed !== undefined) {
      this.unconfirmed.push(text);
      return;
    }
    if (this.#warned.has(text)) return;
    this.#warned.add(text);
    this.services.warn(this.call.urn, text);
  }

  /** Makes sure that an object that is not found is gone, and not only invisible to this key. */
  async assertVisible(): Promise<void> {
    const { values = {}, owner } = this.#known;
    const project = projectOf(this.kind, values);
    if (project === undefined) return;
    if (this.kind.scope?.isProject === true) await this.visibility.assertDeleted(project, owner);
    else await this.visibility.assertVisible(project, owner);
  }

  /** Waits for operations that this call has started. */
  async waitFor(operations: readonly Operation[], applies: readonly string[]): Promise<void> {
    this.progress.wait(operations, applies);
    try {
      await this.requests.wait(operations);
    } catch (error) {
      if (hasEnded(error)) this.progress.failed();
      throw error;
    }
  }

  /**
   * Sends a mutation. If the platform refuses it for lack of what the kind requires, it is sent again once that exists: this
   * run may still be creating it.
   */
  async mutate<A>(request: Request<A>, beforeRetry?: SendOptions["beforeRetry"]): Promise<A> {
    try {
      return await this.requests.mutate(request, beforeRetry);
    } catch (error) {
      const { precondition } = this.kind;
      if (precondition === undefined || !isLackOf(precondition, error)) throw error;
      if (!(await this.meets(precondition))) await this.requests.uncounted(() => this.#untilMet(precondition, error));
      await beforeRetry?.(error);
      return await this.requests.mutate(request, beforeRetry);
    }
  }

  /** The branch that the operations of an object with these outputs name. */
  branchOf({ branchId }: Values): NamedBranch {
    if (this.kind.scope?.hasHiddenBranch === true) return hiddenBranch;
    return typeof branchId === "string" ? branchId : undefined;
  }

  /** The operations that a request of this call whose response was lost can have started on an object with these outputs. */
  unfinishedSince(project: string | undefined, outputs: Values, sentAt: () => Date): Promise<readonly Operation[]> {
    return this.operations.unfinishedSince(this.changedProject(project), this.branchOf(outputs), sentAt);
  }

  /** The project that changes of the object change, too: undefined if they start no operations of it. */
  changedProject(project: string | undefined): string | undefined {
    return this.kind.scope?.isApart === true ? undefined : project;
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
    const { clock } = this.account.client;
    const { locks, registry } = this.services;
    const { values = {} } = this.#known;
    const refused = unmet(this.kind, precondition, values, error);
    if (!registry.isDeclared(this.call.urn)) throw refused;
    const began = clock.now();
    let busyAt = began;
    const awaited = [this.#lock.name, precondition.lock?.(values)];
    // Others could not create it otherwise.
    this.#lock.release();
    this.show(`waiting for ${withArticle(precondition.what(values))} of ${precondition.of(values)}`);
    do {
      const now = clock.now();
      if (awaited.some((name) => locks.isHeld(name))) busyAt = now;
      if (now - busyAt >= patience) throw refused;
      await clock.sleep(backoffDelay(now - began), this.call.signal);
    } while (!(await this.meets(precondition)));
    await this.#acquire(this.#lock);
  }

  /** Does some work while no other call of this process changes the project, or an object outside projects with this natural key. */
  async withLock<Result>(verb: string, values: Values, work: () => Promise<Result>): Promise<Result> {
    const { kind } = this;
    const isUnique = uniqueInputs(kind, values).length > 0;
    const project = this.changedProject(projectOf(kind, values));
    const lock = kind.scope?.lock?.(values) ?? project ?? (isUnique ? naturalKeyOf(kind, values) : undefined);
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
