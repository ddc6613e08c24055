import type { SendOptions } from "../../api/client";
import { backoffDelay } from "../../api/core/backoff";
import { asSentence, HttpError, invalid, NeonError } from "../../api/core/errors";
import type { Request } from "../../api/core/request";
import type { Operation } from "../../api/schemas/operation";
import type { ServerClock } from "../../api/server-clock";
import type { Call } from "../call/call";
import { makeChange, type Overtaken } from "../call/change";
import type { Context, DeclaredResource, Kept, LiveRow, Purpose } from "../call/context";
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

/** A kind of resource, with the services of this process. */
export interface ServedKind {
  readonly kind: AnyKind;
  readonly services: Services;
}

/** The facts about its object that a call begins with. */
interface Known extends Containment, Kept {
  /** The object's outputs, or the inputs of an object to create. */
  readonly values?: Values;
  /** The object's outputs in the state. Absent if it is being created. */
  readonly stored?: Values;
  /** The owner of the object's project, as recorded in the state. */
  readonly owner?: Owner | undefined;
}

/** A lock that a call holds. */
interface HeldLock {
  readonly name: string | undefined;
  readonly what: string;
  readonly release: () => void;
}

/** How long a call with the purpose `preview` or `look` waits for the platform, in milliseconds. */
const shortTimeout = 20_000;

/** How long to wait for a requirement of the kind while this process does not change the project, in milliseconds. */
export const patience = 10_000;

/**
 * One running call of the engine: the context for the verbs of its kind, and the parts that only the lifecycle uses.
 */
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
  /** The facts that the latest read of the object has found. */
  seen: Seen;
  /** The generation of the object's contents, for the state. */
  generation: Containment["generation"];
  readonly containers: Containment["containers"];
  /** Why this call may no longer change the object; undefined if it may. */
  overtaken: () => Promise<Overtaken | undefined> = () => Promise.resolve(undefined);
  /** The warnings of a read that still has to be confirmed. */
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
      secretMembers: call.secretMembers ?? [],
    };
    this.kept = known;
    this.seen = { asOf: known.asOf };
    this.progress.evidence = known.evidence;
    this.generation = known.generation;
    this.containers = known.containers;
    this.#known = known;
  }

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

  readonly perform: Context["perform"] = async (work) => {
    const { urn, timeout, signal } = this.call;
    const { clock } = this.account.client;
    const ended = new AbortController();
    const late = new AbortController();
    if (timeout !== undefined) {
      const error = new NeonError("operation-timeout", `It took longer than ${timeout / 1000} s (\`customTimeouts\`)`);
      void clock.sleep(timeout, ended.signal).then(
        () => late.abort(error),
        () => undefined,
      );
    }
    const row: LiveRow = {
      say: (line) => this.services.say(urn, line),
      show: (text) => this.show(text),
      signal: AbortSignal.any([late.signal, ...(signal === undefined ? [] : [signal])]),
      clock,
    };
    const { stored } = this.#known;
    let marked: string | undefined;
    const begin = (): void => {
      this.progress.failed();
      if (stored === undefined) return;
      marked = this.kind.id(stored);
      this.services.marks.begin(marked, stored);
    };
    try {
      return await this.requests.uncounted(() => work(row, begin));
    } finally {
      ended.abort();
      if (marked !== undefined) this.services.marks.end(marked);
    }
  };

  warn(text: string): void {
    if (this.unconfirmed !== undefined) {
      this.unconfirmed.push(text);
      return;
    }
    if (this.#warned.has(text)) return;
    this.#warned.add(text);
    this.services.warn(this.call.urn, text);
  }

  /** Makes sure that an object that was not found is gone, and not only invisible to this key. */
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
   * Sends a mutation. If the platform refuses it because a requirement of the kind is missing, waits for that and sends
   * it again: this run may still be creating what is missing.
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

  /** The branch that operations name for an object with these outputs. */
  branchOf({ branchId }: Values): NamedBranch {
    if (this.kind.scope?.hasHiddenBranch === true) return hiddenBranch;
    return typeof branchId === "string" ? branchId : undefined;
  }

  /**
   * The operations on an object with these outputs that a request of this call can have started if its response was
   * lost.
   */
  unfinishedSince(project: string | undefined, outputs: Values, sentAt: () => Date): Promise<readonly Operation[]> {
    return this.operations.unfinishedSince(this.changedProject(project), this.branchOf(outputs), sentAt);
  }

  /** The project that is locked while the object is changed. Undefined if changes start no operations of a project. */
  changedProject(project: string | undefined): string | undefined {
    return this.kind.scope?.isApart === true ? undefined : project;
  }

  /** Whether the requirement of the kind is met. */
  meets({ isMet }: PreconditionRule<Values>): Promise<boolean> {
    return isMet(this, this.#known.values ?? {});
  }

  /**
   * Waits until the requirement of the kind is met: as long as this process changes the project, and a while longer,
   * because another process of the run may create what is missing. The engine deletes resources that the program no
   * longer declares only after creating all others, so for those there is nothing to wait for.
   *
   * @throws NeonError `invalid` if it is not met in time
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
    // Other calls need the lock to create what is missing.
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

  /**
   * Runs some work while no other call of this process changes the project or, outside of projects, an object of this
   * natural key.
   */
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

  /** @param recorded the owner of the object's project in the state; a transfer can have changed it */
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
