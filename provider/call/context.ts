import { setMaxListeners } from "node:events";

import { describeError, isNotFound, NeonError, OutcomeUnknownError, summaryOf } from "../../api/errors";
import { progressOf } from "../../api/operations/status";
import type { Operation } from "../../api/schemas/operation";
import type { ObjectKey } from "../ownership/claim";
import type { Owner, ProjectVisibility } from "../ownership/visibility";
import type { Values } from "../values";
import type { Call } from "./call";
import { IdempotencyRecords, keyOf } from "./idempotency";
import { type Change, operationsOf } from "./mutation";
import { type Pending, type PendingChange, resumedOperation } from "./pending-work";
import { Progress } from "./progress";
import { hasEnded, isOnBranch, Sender } from "./sender";
import type { Account, Services } from "./services";

/** The resource that a call is for. */
export interface Subject {
  /** The name of its kind. */
  readonly kind: string;
  /** The project that the object belongs to, and its owner as recorded in the state, as far as they are known. */
  readonly project?: string | undefined;
  readonly owner?: Owner | undefined;
  /** Whether it is the project. */
  readonly isProject: boolean;
}

/**
 * What a call is for.
 *
 * - `change`: it changes the object;
 * - `refresh`: it only reads the object into the state; what has replaced it or a part of it comes into the state, too;
 * - `preview`: it does not wait long, and reads no passwords.
 */
export type Purpose = "change" | "refresh" | "preview";

/** How long a preview waits for an answer of the platform, in milliseconds. */
const previewTimeout = 20_000;

/** How a change is sent, given what earlier calls have made of it. */
interface Sending {
  /** What the object was like before the change was sent for the first time. Empty if it may be sent twice. */
  readonly before: Values;
  /** When it was sent for the first time. */
  readonly sentAt: () => Date;
  /** An earlier call has made the change. */
  readonly wasDone: boolean;
  /** An earlier call has made the change, and this one has waited for its operations. */
  readonly hasWaited: boolean;
  /** The id of its record, if it must not be sent twice. */
  readonly changeId?: string | undefined;
  readonly once?: PendingChange;
}

/**
 * What the verbs of a kind use to talk to the platform, in one call of the engine.
 *
 * A change is sent, recorded and waited for here, in this order: whatever fails after the platform has accepted it, the
 * progress of the call is recorded.
 */
export class Context {
  readonly sender: Sender;
  readonly progress: Progress;
  readonly visibility: ProjectVisibility;
  /** Organization of projects that do not declare theirs. */
  readonly orgId: string | undefined;
  /** Whether the program sets `retainOnDelete` for the resource: then its parts stay, too. */
  readonly isRetained: boolean;
  /** Whether passwords and connection URIs are read. */
  readonly readsSecrets: boolean;
  /** Whether what has replaced the object comes into the state. Any other call leaves what it did not create alone. */
  readonly isRefresh: boolean;
  readonly #services: Services;
  readonly #account: Account;
  readonly #call: Call;
  readonly #subject: Subject;
  readonly #purpose: Purpose;
  readonly #records: IdempotencyRecords;
  readonly #warned = new Set<string>();

  constructor(
    services: Services,
    account: Account,
    call: Call,
    subject: Subject,
    purpose: Purpose,
    progress = new Progress(),
  ) {
    const { client, settings, sharedReads, fingerprint } = account;
    const isPreview = purpose === "preview";
    this.sender = new Sender({
      client,
      timeout: isPreview ? previewTimeout : (call.timeout ?? settings.operationTimeout),
      signal: call.signal,
      progress: (text) => services.progress(call.urn, text),
      failures: services.failures,
      sharedReads,
      sharesReads: purpose !== "change",
    });
    this.progress = progress;
    this.visibility = account.visibility;
    this.orgId = settings.orgId;
    this.isRetained = call.isRetained;
    this.readsSecrets = !isPreview;
    this.isRefresh = purpose === "refresh";
    this.#services = services;
    this.#account = account;
    this.#call = call;
    this.#subject = subject;
    this.#purpose = purpose;
    this.#records = new IdempotencyRecords(services.journal, { kind: subject.kind, account: fingerprint });
  }

  /** Sends a request that only reads. */
  readonly read: Sender["read"] = (request) => this.sender.read(request);
  readonly readOne: Sender["readOne"] = (collection, key) => this.sender.readOne(collection, key);
  readonly list: Sender["list"] = (request, options) => this.sender.list(request, options);
  readonly pages: Sender["pages"] = (request, pageSize) => this.sender.pages(request, pageSize);
  readonly projects: Sender["projects"] = (query) => this.sender.projects(query);
  readonly waitUntilIdle: Sender["waitUntilIdle"] = (project) => this.sender.waitUntilIdle(project);

  /** Shows a warning at the resource, once. */
  warn(text: string): void {
    // What a list says is confirmed before anybody is warned of it.
    if (this.sender.hasSharedRead || this.#warned.has(text)) return;
    this.#warned.add(text);
    this.#services.warn(this.#call.urn, text);
  }

  /** Makes sure that an object that is not found is gone, and not only invisible to this key. */
  async assertVisible(): Promise<void> {
    const { project, owner, isProject } = this.#subject;
    if (project === undefined) return;
    if (isProject) await this.visibility.assertDeleted(project, owner);
    else await this.visibility.assertVisible(project, owner);
  }

  /** Whether another resource of this run has an object, or another run on this machine has created it just now. */
  async isHeldByOther(key: ObjectKey): Promise<boolean> {
    const isClaimed = this.#services.registry.claimsOfOthers(key, this.#call.urn).length > 0;
    return isClaimed || (await this.isOfOtherRun(key));
  }

  /** Whether a run of another stack on this machine has created an object just now. */
  async isOfOtherRun({ kind, id }: ObjectKey): Promise<boolean> {
    const own = this.#services.stack(this.#call.urn);
    const others = await this.#services.journal.ofOtherProcesses(kind);
    return others.some(({ objectId, stack }) => objectId === id && stack !== own);
  }

  /** Does some work of the same call, whose reads fail when this many milliseconds have passed. */
  async within<Result>(milliseconds: number, work: (context: Context) => Promise<Result>): Promise<Result> {
    const [late, over] = [new AbortController(), new AbortController()];
    // Each read listens to it. Node takes more than ten for a leak, and says so on the console.
    setMaxListeners(0, late.signal);
    void this.sender.client.clock.sleep(milliseconds, over.signal).then(
      () => late.abort(),
      () => undefined,
    );
    const { signal = late.signal } = this.#call;
    const call = { ...this.#call, signal: AbortSignal.any([signal, late.signal]) };
    try {
      return await work(new Context(this.#services, this.#account, call, this.#subject, this.#purpose, this.progress));
    } finally {
      over.abort();
    }
  }

  /** Does some work while no other call of this process changes the project. */
  async withLock<Result>(project: string | undefined, what: string, work: () => Promise<Result>): Promise<Result> {
    const waiting = (holder: string): void => this.sender.show(`waiting for ${holder}`);
    const release = await this.#services.locks.acquire(project, what, waiting, this.#call.signal);
    try {
      return await work();
    } finally {
      this.sender.show("");
      release();
    }
  }

  /**
   * Changes or deletes an object and waits until that is done. Returns nothing if the response was lost, or if an earlier
   * run received it.
   */
  async change<Response extends object>(change: Change<Response>): Promise<Response | undefined> {
    const { applies = [] } = change;
    const sending = await this.#prepare(change);
    this.sender.show(change.what);
    const response = sending.wasDone ? undefined : await this.#send(change, sending);
    this.progress.accepted(applies, change.outputs?.(response), sending.changeId);
    if (!sending.hasWaited) await this.#waitForChange(change, sending, response);
    if (change.silent === true && response !== undefined && !(await this.#isDone(change, sending.before))) {
      await change.assertSame?.();
      throw notDone(change);
    }
    this.progress.succeeded(applies, sending.once?.idempotencyKey);
    return response;
  }

  /** Finds out what earlier calls have made of a change that must not be made twice, and records that it is sent now. */
  async #prepare({ what, once, done }: Pick<Change<object>, "what" | "once" | "done">): Promise<Sending> {
    const { serverClock } = this.sender.client;
    const sentAt = serverClock.capture();
    if (once === undefined) return { before: {}, sentAt, wasDone: false, hasWaited: false };
    const unsettled = this.progress.unsettled(keyOf(once));
    const interrupted = await this.#records.find(once);
    const earlier = unsettled ?? interrupted;
    const wasDone = earlier !== undefined && (await done(earlier.before));
    if (wasDone) {
      this.warn(
        `An earlier run may have completed this: ${what}. The object has changed since, so it was not repeated. If something else has changed it, declare another value of the trigger.`,
      );
    }
    const { before } = (wasDone ? earlier : interrupted) ?? once;
    return {
      before,
      sentAt: interrupted === undefined ? sentAt : () => new Date(interrupted.sentAt ?? interrupted.writtenAt),
      wasDone,
      hasWaited: wasDone && unsettled !== undefined,
      changeId:
        interrupted?.id ??
        (wasDone ? undefined : await this.#records.write(once, serverClock.now(), (text) => this.warn(text))),
      once: { idempotencyKey: keyOf(once), before },
    };
  }

  /** Waits for the operations that a change has started; without its response, for those of the branch since it was sent. */
  async #waitForChange(
    { project, applies = [] }: Pick<Change<object>, "project" | "applies">,
    { sentAt, once }: Sending,
    response: object | undefined,
  ): Promise<void> {
    const operations =
      response === undefined
        ? await this.sender.unfinishedSince(project, branchOf(this.progress.object?.outputs), sentAt)
        : operationsOf(response);
    // Never repeat a completed once-only change, even if its operations fail.
    const isCompleted = response === undefined && once !== undefined;
    if (isCompleted) this.progress.succeeded(applies, once.idempotencyKey);
    await this.waitFor(operations, isCompleted ? [] : applies, isCompleted ? undefined : once);
  }

  /** Sends a change until a response arrives, or the change is found to be done. */
  async #send<Response extends object>(
    change: Change<Response>,
    { before, changeId, once }: Sending,
  ): Promise<Response | undefined> {
    for (;;) {
      try {
        return await this.sender.mutate(change.request, change.assertSame);
      } catch (error) {
        if (!OutcomeUnknownError.isInstance(error)) {
          if (changeId !== undefined) await this.#records.discard(changeId);
          throw error;
        }
        this.progress.sent(change.applies ?? [], once);
        this.sender.show(`${change.what}: the response was lost, checking the result`);
        const isDone = await this.#isDone(change, before).catch((cause: unknown) => {
          // That the object is gone answers the question, too.
          throw isNotFound(cause) ? cause : unknownOutcome(error, checkFailed(cause), runAgain, cause);
        });
        if (isDone) return undefined;
        this.sender.assertTime(unknownOutcome(error, "Nothing has changed so far", runAgain));
        await change.assertSame?.();
      }
    }
  }

  async #isDone({ done }: Pick<Change<object>, "done">, before: Values): Promise<boolean> {
    return (await this.sender.search(async () => ((await done(before)) ? true : undefined))) ?? false;
  }

  /**
   * Waits for operations that this call has started.
   *
   * @param once the change that has started them, if it must not be made twice
   */
  async waitFor(operations: readonly Operation[], applies: readonly string[], once?: PendingChange): Promise<void> {
    this.progress.wait(operations, applies, once);
    try {
      await this.sender.wait(operations);
    } catch (error) {
      if (hasEnded(error)) this.progress.failed();
      throw error;
    }
  }

  /**
   * Waits for what an earlier call has left.
   *
   * @returns whether it succeeded; if not, nothing is running any more, and its inputs have to be applied again
   */
  async resume(pending: Pending, project: string | undefined): Promise<boolean> {
    this.progress.pending = pending;
    if (pending.stage === "finished") return true;
    if (pending.stage === "waiting" && (await this.#haveSucceeded(pending.operations.map(resumedOperation)))) {
      this.progress.succeeded(pending.applies);
      return true;
    }
    this.progress.failed();
    await this.waitUntilIdle(project);
    return false;
  }

  async #haveSucceeded(operations: readonly Operation[]): Promise<boolean> {
    try {
      await this.sender.wait(operations);
      return operations.length > 0;
    } catch (error) {
      // The platform deletes operations after some months: then only the object itself can tell.
      const isUnknown = NeonError.isInstance(error) && error.kind === "operation-unknown";
      if (!hasEnded(error) && !isUnknown) throw error;
      return false;
    }
  }

  /**
   * Resumes what an interrupted run has started at that time, by the platform's clock.
   *
   * @param outputs of the object that it was to create
   * @returns whether no operation of the object has failed since; if one has, only the object itself can tell
   */
  async resumeInterrupted(project: string | undefined, outputs: Values, since: Date): Promise<boolean> {
    this.progress.wait([], []);
    const all = await this.waitUntilIdle(project);
    const hasFailed = all.some(
      (one) =>
        isOnBranch(one, branchOf(outputs)) && this.sender.isSince(one, since) && progressOf(one.status) === "failure",
    );
    if (hasFailed) this.progress.failed();
    else this.progress.succeeded([]);
    return !hasFailed;
  }
}

/** The branch that an object is on. */
export function branchOf(outputs: Values = {}): string | undefined {
  return outputs["branchId"] as string | undefined;
}

const runAgain = "Run the same command again.";

function notDone({ what, request: { method, path } }: Pick<Change<object>, "what" | "request">): NeonError {
  const summary = `${method} ${path} succeeded, but the change was not made: ${what}`;
  return new NeonError("outcome-unknown", summary, undefined, { retry: runAgain });
}

export function checkFailed(cause: unknown): string {
  return `Checking the result failed, too: ${describeError(cause, {})}`;
}

/** The outcome of a mutation is not known, even after checking for its result. */
export function unknownOutcome(error: Error, finding: string, retry: string, cause: unknown = error): NeonError {
  return new NeonError("outcome-unknown", `${summaryOf(error)}. ${finding}`, cause, { retry });
}
