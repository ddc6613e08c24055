import type { PlatformClient } from "../../api/client";
import {
  describeError,
  HttpError,
  isNotFound,
  OperationFailedError,
  OutcomeUnknownError,
  PlatformError,
  summaryOf,
} from "../../api/errors";
import type { PageOptions } from "../../api/http/pagination";
import { isEnded, progressOf } from "../../api/operations/status";
import type { PagedRequest, Request } from "../../api/request";
import { tagAnnotation } from "../../api/schemas/branch";
import type { Operation } from "../../api/schemas/operation";
import type { Project, ProjectListQuery } from "../../api/schemas/project";
import type { ObjectKey } from "../ownership/claim";
import type { ProjectVisibility } from "../ownership/visibility";
import type { Found } from "./found";
import type { Change, Creation, CreationRecord, IdempotencyRecord, IdempotencyRecords } from "./mutation";
import { type Pending, resumedOperation } from "./pending";
import { Progress } from "./progress";
import type { ProjectLocks } from "./project-locks";
import { isSince, Sender, type SenderOptions } from "./sender";
import type { Values } from "./values";

/** What a context consists of. */
export interface ContextOptions extends SenderOptions {
  readonly locks: ProjectLocks;
  /** Organization of projects that do not declare theirs. */
  readonly orgId: string | undefined;
  readonly warn: (text: string) => void;
  readonly records: IdempotencyRecords;
  readonly visibility: ProjectVisibility;
  /** Makes sure that an object that is not found is gone, and not only invisible to this key. */
  readonly assertVisible: () => Promise<void>;
  /** Whether another resource of this run has an object. */
  readonly isHeldByOther: (key: ObjectKey) => boolean;
}

/**
 * What the verbs of a kind use to talk to the platform, in one call of the provider.
 *
 * A mutation is sent, recorded and waited for here, in this order: whatever fails after the platform has accepted it, the
 * progress of the call is recorded.
 */
export class Context {
  readonly client: PlatformClient;
  readonly orgId: string | undefined;
  readonly warn: (text: string) => void;
  readonly visibility: ProjectVisibility;
  /** Makes sure that an object that is not found is gone, and not only invisible to this key. */
  readonly assertVisible: () => Promise<void>;
  /** Whether another resource of this run has an object. */
  readonly isHeldByOther: (key: ObjectKey) => boolean;
  readonly progress: Progress;
  readonly #options: ContextOptions;
  readonly #sender: Sender;
  readonly #creation: CreationRecord<unknown> | undefined;

  constructor(
    options: ContextOptions,
    progress = new Progress(),
    sender = new Sender(options),
    creation?: CreationRecord<unknown>,
  ) {
    this.client = options.client;
    this.orgId = options.orgId;
    this.warn = options.warn;
    this.visibility = options.visibility;
    this.assertVisible = options.assertVisible;
    this.isHeldByOther = options.isHeldByOther;
    this.progress = progress;
    this.#options = options;
    this.#sender = sender;
    this.#creation = creation;
  }

  /** The same call, with the record of the one object that it creates. */
  recording<Outputs>(creation: CreationRecord<Outputs>): Context {
    return new Context(this.#options, this.progress, this.#sender, creation);
  }

  /** Sends a request that only reads. */
  read<A>(request: Request<A>): Promise<A> {
    return this.#sender.read(request);
  }

  /** Every entry of a list. */
  list<Item, Page>(request: PagedRequest<Item, Page>, options: PageOptions = {}): AsyncGenerator<Item, void> {
    return this.#sender.list(request, options);
  }

  /** Every project that matches the query and that this key sees. */
  projects(query: ProjectListQuery): AsyncGenerator<Project, void> {
    return this.#sender.projects(query);
  }

  /** Does some work while no other call of this process changes the project. */
  async withLock<Result>(project: string | undefined, what: string, work: () => Promise<Result>): Promise<Result> {
    const waiting = (holder: string): void => this.#sender.show(`waiting for ${holder}`);
    const release = await this.#options.locks.acquire(project, what, waiting);
    try {
      return await work();
    } finally {
      this.#sender.show("");
      release();
    }
  }

  /** Creates an object and waits until it is ready. */
  async create<A extends object, Outputs>(creation: Creation<A, Outputs>): Promise<Found<Outputs>> {
    const record = this.#creation as CreationRecord<Outputs> | undefined;
    if (record === undefined) throw new TypeError("this call cannot create an object");
    const tag = await record.begin();
    const sentAt = this.client.serverClock.capture();
    this.#sender.show(creation.what);
    const { found, operations } = await this.#sendCreation(creation, tag, record).catch(async (error: unknown) => {
      if (!OutcomeUnknownError.isInstance(error)) await record.discard();
      throw error;
    });
    this.progress.create(found, record.creationId);
    await record.answered(found);
    const project = (found.outputs as Values)["projectId"] as string | undefined;
    await this.#wait(operations ?? (await this.#sender.unfinishedSince(project, sentAt)), []);
    return found;
  }

  async #sendCreation<A extends object, Outputs>(
    creation: Creation<A, Outputs>,
    tag: string,
    record: CreationRecord<Outputs>,
  ): Promise<{ readonly found: Found<Outputs>; readonly operations: readonly Operation[] | undefined }> {
    const request = creation.request({ [tagAnnotation]: tag });
    for (let lost = false; ; lost = true) {
      try {
        const response = await this.#sender.mutate(request);
        return { found: creation.record(response), operations: operationsOf(response) };
      } catch (error) {
        // After a lost response, a 409 can mean that the lost request has created the object.
        const isDuplicate = lost && HttpError.isInstance(error) && error.status === 409;
        if (!OutcomeUnknownError.isInstance(error) && !isDuplicate) throw error;
        this.#sender.show(`${creation.what}: the response was lost, checking the result`);
        const found = await this.#sender
          .search(() => record.locate())
          .catch((cause: unknown) => {
            throw unknownOutcome(error, checkFailed(cause), nextUpChecks, cause);
          });
        if (found !== undefined && record.deleteUseless !== undefined) {
          await record.deleteUseless(found);
          this.#sender.assertTime(unknownOutcome(error, "The object it created was deleted", nextUpResumes));
          continue;
        }
        if (found !== undefined) return { found, operations: undefined };
        if (isDuplicate) throw error;
        if (!creation.repeatable) throw unknownOutcome(error, nothingFound, nextUpChecks);
        this.#sender.assertTime(unknownOutcome(error, nothingFound, nextUpResumes));
      }
    }
  }

  /**
   * Changes or deletes an object and waits until that is done. Returns nothing if the response was lost, or if an earlier
   * run received it.
   */
  async change<A extends object>(change: Change<A>): Promise<A | undefined> {
    const { applies = [], once } = change;
    const { records } = this.#options;
    const earlier = once && (await records.find(once));
    const record = earlier ?? (once && (await records.write(once)));
    const { before = {} } = record ?? {};
    const sentAt = earlier === undefined ? this.client.serverClock.capture() : () => earlier.sentAt;
    const wasDone = earlier !== undefined && (await change.done(before));
    if (wasDone) this.warn(`An interrupted run has already done this: ${change.what}. It is not repeated.`);
    this.#sender.show(change.what);
    const response = wasDone ? undefined : await this.#sendChange(change, record);
    const operations =
      response === undefined ? await this.#sender.unfinishedSince(change.project, sentAt) : operationsOf(response);
    this.progress.accept(applies, change.record?.(response), record?.number);
    // Whatever the operations of an earlier run have come to, what it has done is not repeated.
    await this.#wait(operations, wasDone ? [] : applies);
    if (change.silent === true && response !== undefined && !(await this.#isDone(change, before))) {
      throw notDone(change);
    }
    this.progress.settle(applies);
    return response;
  }

  /** Sends a change until a response arrives, or the change is found to be done. */
  async #sendChange<A extends object>(
    change: Change<A>,
    record: IdempotencyRecord | undefined,
  ): Promise<A | undefined> {
    for (;;) {
      try {
        return await this.#sender.mutate(change.request);
      } catch (error) {
        if (!OutcomeUnknownError.isInstance(error)) {
          if (record !== undefined) await this.#options.records.discard(record);
          throw error;
        }
        this.progress.sent(change.applies ?? []);
        this.#sender.show(`${change.what}: the response was lost, checking the result`);
        const isDone = await this.#isDone(change, record?.before ?? {}).catch((cause: unknown) => {
          // That the object is gone answers the question, too.
          throw isNotFound(cause) ? cause : unknownOutcome(error, checkFailed(cause), runAgain, cause);
        });
        if (isDone) return undefined;
        this.#sender.assertTime(unknownOutcome(error, "Nothing has changed so far", runAgain));
      }
    }
  }

  async #isDone({ done }: Pick<Change<object>, "done">, before: Values): Promise<boolean> {
    return (await this.#sender.search(async () => ((await done(before)) ? true : undefined))) ?? false;
  }

  /**
   * Waits for the operations that an earlier call has left.
   *
   * @returns whether they succeeded; if not, none of them is running any more, and what they were to apply is owed
   */
  async resume(pending: Pending, project: string | undefined): Promise<boolean> {
    if (pending.ended === true) {
      this.progress.resume({ operations: [], applies: [] });
      this.progress.finish();
      return true;
    }
    this.progress.resume(pending);
    try {
      await this.#wait(pending.operations.map(resumedOperation), pending.applies);
      if (pending.operations.length > 0) return true;
    } catch (error) {
      // The platform deletes operations after some months: then only the object itself can tell.
      const isUnknown = PlatformError.isInstance(error) && error.kind === "operation-unknown";
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
   * @returns whether no operation of the project has failed since; if one has, only the object itself can tell
   */
  async resumeInterrupted(project: string | undefined, since: Date): Promise<boolean> {
    this.progress.resume();
    const before = await this.waitUntilIdle(project);
    this.progress.finish();
    const hasFailed = before.some((one) => isSince(one, since) && progressOf(one.status) === "failure");
    if (hasFailed) this.progress.fail();
    return !hasFailed;
  }

  /**
   * Waits until no operation of the project is running; an object outside projects has none.
   *
   * @returns the latest operations as they were before, newest first
   */
  async waitUntilIdle(project: string | undefined): Promise<readonly Operation[]> {
    const all = project === undefined ? [] : await this.#sender.operationsOf(project, undefined);
    await this.#wait(
      all.filter(({ status }) => !isEnded(status)),
      [],
    );
    return all;
  }

  async #wait(operations: readonly Operation[], applies: readonly string[]): Promise<void> {
    this.progress.wait(operations, applies);
    try {
      await this.#sender.wait(operations);
      this.progress.finish();
    } catch (error) {
      this.progress.fail(OperationFailedError.isInstance(error) && isEnded(error.operation.status));
      throw error;
    }
  }
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

function notDone({ what, request: { method, path } }: Pick<Change<object>, "what" | "request">): PlatformError {
  return new PlatformError(
    "outcome-unknown",
    `${method} ${path} succeeded, but the change was not made: ${what}`,
    undefined,
    { retry: runAgain },
  );
}

function checkFailed(cause: unknown): string {
  return `Checking the result failed, too: ${describeError(cause, {})}`;
}

/** The outcome of a mutation is not known, even after checking for its result. */
function unknownOutcome(error: Error, finding: string, retry: string, cause: unknown = error): PlatformError {
  return new PlatformError("outcome-unknown", `${summaryOf(error)}. ${finding}`, cause, { retry });
}
