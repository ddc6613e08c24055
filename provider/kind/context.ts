import { setMaxListeners } from "node:events";

import {
  describeError,
  hasStatus,
  isNotFound,
  OperationFailedError,
  OutcomeUnknownError,
  NeonError,
  summaryOf,
} from "../../api/errors";
import { isEnded, progressOf } from "../../api/operations/status";
import { tagAnnotation } from "../../api/schemas/branch";
import type { Operation } from "../../api/schemas/operation";
import type { ObjectKey } from "../ownership/claim";
import type { ProjectVisibility } from "../ownership/visibility";
import type { Answer } from "./collection";
import { type IdempotencyRecord, type IdempotencyRecords, keyOf } from "./idempotency";
import { AlreadyThereError, type Change, type Creation, type CreationRecord } from "./mutation";
import { type Pending, type PendingChange, resumedOperation } from "./pending-work";
import { Progress } from "./progress";
import type { ProjectLocks } from "./project-locks";
import { isOnBranch, isSince, Sender, type SenderOptions } from "./sender";
import type { Values } from "./values";

export interface ContextOptions extends SenderOptions {
  readonly locks: ProjectLocks;
  /** Organization of projects that do not declare theirs. */
  readonly orgId: string | undefined;
  readonly warn: (text: string) => void;
  readonly records: IdempotencyRecords;
  readonly visibility: ProjectVisibility;
  /** Makes sure that an object that is not found is gone, and not only invisible to this key. */
  readonly assertVisible: () => Promise<void>;
  /** Whether another resource of this run, or another stack of this backend, has an object. */
  readonly isHeldByOther: (key: ObjectKey) => Promise<boolean>;
  /** Whether another stack of this backend has an object. */
  readonly isHeldByOtherStack: (key: ObjectKey) => Promise<boolean>;
  /** Whether the program sets `retainOnDelete` for the resource: then its parts stay, too. */
  readonly isRetained: boolean;
  /** Whether passwords and connection URIs are read. Not in a preview. */
  readonly readsSecrets: boolean;
  /**
   * Whether the call only reads an object into the state. Then what has replaced the object or a part of it comes into the
   * state, too. Any other call leaves what it did not create alone.
   */
  readonly isRefresh: boolean;
}

/** How a change is made, given what earlier calls have made of it. */
interface Attempt {
  /** What the object was like before the change was sent for the first time. Empty if it may be sent twice. */
  readonly before: Values;
  /** When it was sent for the first time. */
  readonly sentAt: () => Date;
  /** An earlier call has made the change. */
  readonly wasDone: boolean;
  /** An earlier call has made the change, and this one has waited for its operations. */
  readonly hasWaited: boolean;
  readonly record?: IdempotencyRecord | undefined;
  readonly pending?: PendingChange;
}

/**
 * What the verbs of a kind use to talk to the platform, in one call of the provider.
 *
 * A mutation is sent, recorded and waited for here, in this order: whatever fails after the platform has accepted it, the
 * progress of the call is recorded.
 */
export class Context extends Sender {
  readonly orgId: string | undefined;
  readonly warn: (text: string) => void;
  readonly visibility: ProjectVisibility;
  readonly assertVisible: ContextOptions["assertVisible"];
  readonly isHeldByOther: ContextOptions["isHeldByOther"];
  readonly isHeldByOtherStack: ContextOptions["isHeldByOtherStack"];
  readonly isRetained: boolean;
  readonly readsSecrets: boolean;
  readonly isRefresh: boolean;
  readonly progress: Progress;
  readonly #options: ContextOptions;
  readonly #creation: CreationRecord | undefined;

  /**
   * @param creation the record of the one object that this call creates, if any
   * @param other a context of the same call
   */
  constructor(options: ContextOptions, creation?: CreationRecord, other?: Context) {
    super(options, other);
    this.orgId = options.orgId;
    // What a list says is confirmed before anybody is warned of it.
    this.warn = (text) => {
      if (!this.hasSharedRead) options.warn(text);
    };
    this.visibility = options.visibility;
    this.assertVisible = options.assertVisible;
    this.isHeldByOther = options.isHeldByOther;
    this.isHeldByOtherStack = options.isHeldByOtherStack;
    this.isRetained = options.isRetained;
    this.readsSecrets = options.readsSecrets;
    this.isRefresh = options.isRefresh;
    this.progress = other?.progress ?? new Progress();
    this.#options = options;
    this.#creation = creation;
  }

  /** The same call, with the record of the one object that it creates. */
  recording(creation: CreationRecord): Context {
    return new Context(this.#options, creation, this);
  }

  /** Does some work of the same call, whose reads fail when this many milliseconds have passed. */
  async within<Result>(milliseconds: number, work: (context: Context) => Promise<Result>): Promise<Result> {
    const [late, over] = [new AbortController(), new AbortController()];
    // Each read listens to it. Node takes more than ten for a leak, and says so on the console.
    setMaxListeners(0, late.signal);
    void this.client.clock.sleep(milliseconds, over.signal).then(
      () => late.abort(),
      () => undefined,
    );
    try {
      return await work(new Context({ ...this.#options, readSignal: late.signal }, this.#creation, this));
    } finally {
      over.abort();
    }
  }

  /** Does some work while no other call of this process changes the project. */
  async withLock<Result>(project: string | undefined, what: string, work: () => Promise<Result>): Promise<Result> {
    const waiting = (holder: string): void => this.show(`waiting for ${holder}`);
    const release = await this.#options.locks.acquire(project, what, waiting);
    try {
      return await work();
    } finally {
      this.show("");
      release();
    }
  }

  /** Creates an object and waits until it is ready. */
  async create<A extends object, Outputs extends object>(creation: Creation<A, Outputs>): Promise<Outputs> {
    const record = this.#creation;
    if (record === undefined) throw new TypeError("only the create call of a resource can create an object");
    const tag = await record.begin();
    const sentAt = this.client.serverClock.capture();
    this.show(creation.what);
    const {
      created,
      operations,
      answers = [],
    } = await this.#sendCreation(creation, tag, record).catch(async (error: unknown) => {
      if (!OutcomeUnknownError.isInstance(error)) await record.discard();
      throw error;
    });
    const outputs = created as Values;
    const id = record.idOf(outputs);
    this.progress.create({ id, outputs, creationId: record.creationId });
    await record.answered(id);
    const project = outputs["projectId"] as string | undefined;
    await this.#waitFor(operations ?? (await this.unfinishedSince(project, branchOf(outputs), sentAt)), []);
    this.keepAnswers(answers);
    return created;
  }

  async #sendCreation<A extends object, Outputs extends object>(
    creation: Creation<A, Outputs>,
    tag: string,
    record: CreationRecord,
  ): Promise<{
    readonly created: Outputs;
    readonly operations: readonly Operation[] | undefined;
    readonly answers?: readonly Answer[] | undefined;
  }> {
    const request = creation.request({ [tagAnnotation]: tag });
    let lost: Error | undefined;
    // The platform answers with 503 before it changes anything, but a gateway before it may do so afterwards.
    let mayExist = false as boolean;
    const beforeRetry = async (reason: Error): Promise<void> => {
      mayExist ||= reason === lost || hasStatus(reason, 503);
      await this.#assertFree(creation, record, lost);
      await record.resent();
    };
    for (;;) {
      try {
        if (lost !== undefined) await beforeRetry(lost);
        const response = await this.mutate(request, beforeRetry);
        const answers = creation.answers?.(response);
        return { created: creation.record(response), operations: operationsOf(response), answers };
      } catch (error) {
        // Then a 409 can mean that an earlier request has created the object.
        const isDuplicate = mayExist && hasStatus(error, 409);
        if (!OutcomeUnknownError.isInstance(error) && !isDuplicate) throw error;
        lost = error;
        this.show(`${creation.what}: the response was lost, checking the result`);
        const found = await this.search(() => record.locate()).catch((cause: unknown) => {
          throw unknownOutcome(error, checkFailed(cause), nextUpChecks, cause);
        });
        if (found !== undefined && record.nameUseless !== undefined) {
          await record.nameUseless();
          this.assertTime(
            unknownOutcome(
              error,
              "An object that it may have created is unusable, because its secret is lost",
              nextUpResumes,
            ),
          );
          continue;
        }
        if (found !== undefined) {
          record.warnOfMatch?.(found);
          return { created: found as Outputs, operations: undefined };
        }
        if (isDuplicate) throw error;
        if (!creation.repeatable) throw unknownOutcome(error, nothingFound, nextUpChecks);
        this.assertTime(unknownOutcome(error, nothingFound, nextUpResumes));
      }
    }
  }

  /**
   * Makes sure that sending a creation again overwrites nothing that another program has created since.
   *
   * @param lost why it is not known whether an earlier request has created the object; undefined if none has
   */
  async #assertFree(
    { assertFree }: Pick<Creation<object, object>, "assertFree">,
    record: CreationRecord,
    lost: Error | undefined,
  ): Promise<void> {
    if (assertFree === undefined) return;
    if (lost === undefined) return assertFree();
    try {
      if ((await record.locate()) === undefined) await assertFree();
    } catch (cause) {
      throw cause instanceof AlreadyThereError ? cause : unknownOutcome(lost, checkFailed(cause), nextUpChecks, cause);
    }
  }

  /**
   * Changes or deletes an object and waits until that is done. Returns nothing if the response was lost, or if an earlier
   * run received it.
   */
  async change<A extends object>(change: Change<A>): Promise<A | undefined> {
    const { applies = [] } = change;
    const attempt = await this.#attempt(change);
    this.show(change.what);
    const response = attempt.wasDone ? undefined : await this.#sendChange(change, attempt);
    this.progress.accept(applies, change.record?.(response), attempt.record?.number);
    if (!attempt.hasWaited) await this.#waitForChange(change, attempt, response);
    if (change.silent === true && response !== undefined && !(await this.#isDone(change, attempt.before))) {
      await change.assertSame?.();
      throw notDone(change);
    }
    this.progress.settle(applies, attempt.pending?.idempotencyKey);
    return response;
  }

  /** Finds out what earlier calls have made of a change that must not be made twice, and records that it is sent now. */
  async #attempt({ what, once, done }: Pick<Change<object>, "what" | "once" | "done">): Promise<Attempt> {
    const sentAt = this.client.serverClock.capture();
    if (once === undefined) return { before: {}, sentAt, wasDone: false, hasWaited: false };
    const { records } = this.#options;
    const unsettled = this.progress.unsettled(keyOf(once));
    const interrupted = await records.find(once);
    const earlier = unsettled ?? interrupted;
    const wasDone = earlier !== undefined && (await done(earlier.before));
    if (wasDone) {
      this.warn(
        `An earlier run was to do this: ${what}. The object has changed since, so it is not done again. If something else has changed it, declare another value of the trigger.`,
      );
    }
    const { before } = (wasDone ? earlier : interrupted) ?? once;
    return {
      before,
      sentAt: interrupted === undefined ? sentAt : () => interrupted.sentAt,
      wasDone,
      hasWaited: wasDone && unsettled !== undefined,
      record: interrupted ?? (wasDone ? undefined : await records.write(once)),
      pending: { idempotencyKey: keyOf(once), before },
    };
  }

  /** Waits for the operations that a change has started; without its response, for those of the branch since it was sent. */
  async #waitForChange(
    { project, applies = [], once }: Pick<Change<object>, "project" | "applies" | "once">,
    { sentAt, pending }: Attempt,
    response: object | undefined,
  ): Promise<void> {
    const operations =
      response === undefined
        ? await this.unfinishedSince(project, branchOf(this.progress.object?.outputs), sentAt)
        : operationsOf(response);
    // Whatever its operations come to, what has been done and must not be done twice is not repeated.
    const isSettled = response === undefined && once !== undefined;
    await this.#waitFor(operations, isSettled ? [] : applies, isSettled ? undefined : pending);
  }

  /** Sends a change until a response arrives, or the change is found to be done. */
  async #sendChange<A extends object>(change: Change<A>, { before, record, pending }: Attempt): Promise<A | undefined> {
    for (;;) {
      try {
        return await this.mutate(change.request, change.assertSame);
      } catch (error) {
        if (!OutcomeUnknownError.isInstance(error)) {
          if (record !== undefined) await this.#options.records.discard(record);
          throw error;
        }
        this.progress.sent(change.applies ?? [], pending);
        this.show(`${change.what}: the response was lost, checking the result`);
        const isDone = await this.#isDone(change, before).catch((cause: unknown) => {
          // That the object is gone answers the question, too.
          throw isNotFound(cause) ? cause : unknownOutcome(error, checkFailed(cause), runAgain, cause);
        });
        if (isDone) return undefined;
        this.assertTime(unknownOutcome(error, "Nothing has changed so far", runAgain));
        await change.assertSame?.();
      }
    }
  }

  async #isDone({ done }: Pick<Change<object>, "done">, before: Values): Promise<boolean> {
    return (await this.search(async () => ((await done(before)) ? true : undefined))) ?? false;
  }

  /**
   * Waits for the operations that an earlier call has left.
   *
   * @returns whether they succeeded; if not, none of them is still running, and their inputs have to be applied again
   */
  async resume(pending: Pending, project: string | undefined): Promise<boolean> {
    if (pending.ended === true) {
      this.progress.resume({ operations: [], applies: [] });
      this.progress.finish();
      return true;
    }
    this.progress.resume(pending);
    try {
      await this.#waitFor(pending.operations.map(resumedOperation), pending.applies);
      if (pending.operations.length > 0) return true;
    } catch (error) {
      // The platform deletes operations after some months: then only the object itself can tell.
      const isUnknown = NeonError.isInstance(error) && error.kind === "operation-unknown";
      if (!this.progress.operationFailed && !isUnknown) throw error;
    }
    this.progress.owe(pending.applies);
    await this.waitUntilIdle(project);
    this.progress.fail();
    return false;
  }

  /**
   * Resumes what an interrupted run has started at that time, by the platform's clock.
   *
   * @param outputs of the object that it was to create
   * @returns whether no operation of the object has failed since; if one has, only the object itself can tell
   */
  async resumeInterrupted(project: string | undefined, outputs: Values, since: Date): Promise<boolean> {
    this.progress.resume();
    const all = await this.waitUntilIdle(project);
    this.progress.finish();
    const hasFailed = all.some(
      (one) => isOnBranch(one, branchOf(outputs)) && isSince(one, since) && progressOf(one.status) === "failure",
    );
    if (hasFailed) this.progress.fail();
    return !hasFailed;
  }

  /**
   * Waits until no operation of the project is running, whatever they come to; an object outside projects has none.
   *
   * @returns the latest operations, newest first
   */
  async waitUntilIdle(project: string | undefined): Promise<readonly Operation[]> {
    for (;;) {
      const all = project === undefined ? [] : await this.operationsOf(project, undefined);
      const running = all.filter(({ status }) => !isEnded(status));
      if (running.length === 0) return all;
      await this.wait(running).catch((error: unknown) => {
        if (!hasEnded(error)) throw error;
      });
    }
  }

  /** @param once the change that has started the operations, if it must not be made twice */
  async #waitFor(operations: readonly Operation[], applies: readonly string[], once?: PendingChange): Promise<void> {
    this.progress.wait(operations, applies, once);
    try {
      await this.wait(operations);
      this.progress.finish();
    } catch (error) {
      this.progress.fail(hasEnded(error));
      throw error;
    }
  }
}

/** The branch that an object is on. */
function branchOf(outputs: Values = {}): string | undefined {
  return outputs["branchId"] as string | undefined;
}

/** Whether an error is that of an operation that will not be tried again. */
function hasEnded(error: unknown): boolean {
  return OperationFailedError.isInstance(error) && isEnded(error.operation.status);
}

/** The operations to wait for. Responses to some mutations have no such member. */
function operationsOf(response: { readonly operations?: unknown }): readonly Operation[] {
  // Where the platform documents the member, the schema of the response has parsed it.
  return (response.operations as readonly Operation[] | undefined) ?? [];
}

const runAgain = "Run the same command again.";
const nextUpChecks = "The next `pulumi up` checks again first.";
const nextUpResumes = "The next `pulumi up` resumes from here.";
const nothingFound = "No object was found that it could have created";

function notDone({ what, request: { method, path } }: Pick<Change<object>, "what" | "request">): NeonError {
  const summary = `${method} ${path} succeeded, but the change was not made: ${what}`;
  return new NeonError("outcome-unknown", summary, undefined, { retry: runAgain });
}

function checkFailed(cause: unknown): string {
  return `Checking the result failed, too: ${describeError(cause, {})}`;
}

/** The outcome of a mutation is not known, even after checking for its result. */
function unknownOutcome(error: Error, finding: string, retry: string, cause: unknown = error): NeonError {
  return new NeonError("outcome-unknown", `${summaryOf(error)}. ${finding}`, cause, { retry });
}
