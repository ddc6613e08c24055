import { allProjects } from "../../api/all-projects";
import { backoffDelay } from "../../api/backoff";
import type { PlatformClient, SendOptions } from "../../api/client";
import { Deadline } from "../../api/deadline";
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
import { type Operation, operations as operationRequests } from "../../api/schemas/operation";
import type { Project, ProjectListQuery } from "../../api/schemas/project";
import type { ObjectKey } from "../ownership/claim";
import type { ProjectVisibility } from "../ownership/visibility";
import type { Found } from "./found";
import { type Pending, resumedOperation } from "./pending";
import { Progress } from "./progress";
import type { ProjectLocks, Release } from "./project-locks";
import type { Values } from "./values";

/** A request that makes an object. */
export interface Creation<A extends object, Outputs> {
  /** What is being done, such as `create branch pr-42`. */
  readonly what: string;
  /** The request, given the annotations by which the object is recognized later. */
  readonly request: (mark: Readonly<Record<string, string>>) => Request<A>;
  /** Whether the platform itself refuses a second equal object, so that sending twice cannot make two. */
  readonly repeatable: boolean;
  /** What is known of the object from the answer: enough to find, use and delete it. */
  readonly record: (answer: A) => Found<Outputs>;
}

/** A request that changes or removes an object. */
export interface Change<A extends object> {
  /** What is being done, such as `resize compute`. */
  readonly what: string;
  readonly project: string | undefined;
  readonly request: Request<A>;
  /** Paths of the inputs that this applies: they are applied again when its operations end badly. */
  readonly applies?: readonly string[];
  /**
   * What the answer tells and nothing else will tell again, or tells otherwise than the state: kept before its operations
   * are waited for. The answer is missing when it was lost and the change turned out to be done.
   */
  readonly record?: (answer: A | undefined) => Values;
  /**
   * Whether it turns out to be done, asked when the answer was lost or is silent.
   *
   * @param before what `once` says of the object before this change was sent for the first time
   */
  readonly done: (before: Values) => Promise<boolean>;
  /** It must not be done a second time: that would undo what was done since the first. */
  readonly once?: Once;
  /** Its answer says nothing, not even of an operation: only a look tells whether it was performed. */
  readonly silent?: true;
}

/** What makes a change recognizable for a later run, which does not know whether this one has made it. */
export interface Once {
  /** The object that is changed, by its id in state. */
  readonly objectId: string;
  /** What asks for it, such as a trigger with its value: a change of the same object and key is the same change. */
  readonly idempotencyKey: string;
  /** What tells later whether it was made: what the object is like before it. Nothing secret. */
  readonly before: Values;
}

/** A change that must not be sent twice, as it is written down. */
export interface IdempotencyRecord {
  readonly number: string;
  readonly before: Values;
  /** By the platform's clock, as far as it was known. */
  readonly sentAt: Date;
}

/** Where changes that must not be sent twice are written down. */
export interface IdempotencyRecords {
  /** The same change by a run that has not recorded what became of it. */
  readonly find: (once: Once) => Promise<IdempotencyRecord | undefined>;
  /** Writes down that it is about to be sent, in place of any before it. */
  readonly write: (once: Once) => Promise<IdempotencyRecord>;
  /** It is certain that it was not made. */
  readonly discard: (record: IdempotencyRecord) => Promise<void>;
}

/** How a creation is written down before it is sent, and found again when its answer is lost. */
export interface CreationRecord<Outputs> {
  /** Writes down that an object is about to be created. Answers with the text of its ownership tag. */
  readonly begin: (context: Context) => Promise<string>;
  /** The object that this creation has made, although its answer was lost. */
  readonly locate: (context: Context) => Promise<Found<Outputs> | undefined>;
  /** The platform has answered. */
  readonly answered: (found: Found<unknown>) => Promise<void>;
  /** Deletes an object that is useless without the lost answer; another one is created then. */
  deleteUseless?(context: Context, found: Found<Outputs>): Promise<void>;
  /** It is certain that nothing was created. */
  readonly discard: () => Promise<void>;
}

/** What a context is made of. */
export interface ContextOptions {
  readonly client: PlatformClient;
  readonly locks: ProjectLocks;
  /** How long the operations of this call may take, in milliseconds, counted from its first change. */
  readonly timeout: number;
  /** Organization of projects that do not name theirs. */
  readonly orgId: string | undefined;
  /** Shows what is being waited for. */
  readonly progress: (text: string) => void;
  readonly warn: (text: string) => void;
  /** Ids of the operations that have been seen to end badly: none of them is what a lost answer was to name. */
  readonly failures: Set<string>;
  readonly records: IdempotencyRecords;
  readonly visibility: ProjectVisibility;
  /** Makes sure that what is not found is gone, and not only invisible to this key. */
  readonly assertVisible: () => Promise<void>;
  /** Whether another resource of this run has an object. */
  readonly isHeldByOther: (key: ObjectKey) => boolean;
  /** For a call that creates. */
  readonly creation?: CreationRecord<unknown> | undefined;
}

/** There is an object of that natural key already, found by looking before anything was sent. */
export class AlreadyThereError extends PlatformError {
  constructor(message: string) {
    super("invalid", message, undefined, { fix: "Declare another one." });
  }
}

/** The platform's clock is known to the second only, and not before its first answer. In milliseconds. */
export const secondSlack = 2_000;

/** How many times a lost object is looked for before it counts as not made. */
const looksForLost = 4;

/**
 * What the verbs of a kind talk to the platform with. One per call of the provider.
 *
 * A change is sent, recorded and waited for here, in this order, so that whatever fails after the platform has accepted
 * it leaves behind what was recorded.
 */
export class Context {
  readonly client: PlatformClient;
  readonly orgId: string | undefined;
  readonly warn: (text: string) => void;
  /** How far this call has come. */
  readonly progress = new Progress();
  readonly visibility: ProjectVisibility;
  /** Makes sure that what is not found is gone, and not only invisible to this key. */
  readonly assertVisible: () => Promise<void>;
  /** Whether another resource of this run has an object. */
  readonly isHeldByOther: (key: ObjectKey) => boolean;
  readonly #locks: ProjectLocks;
  readonly #timeout: number;
  readonly #show: (text: string) => void;
  readonly #failures: Set<string>;
  readonly #records: IdempotencyRecords;
  readonly #creation: CreationRecord<unknown> | undefined;
  #deadline: Deadline | undefined;

  constructor(options: ContextOptions) {
    this.client = options.client;
    this.orgId = options.orgId;
    this.warn = options.warn;
    this.visibility = options.visibility;
    this.assertVisible = options.assertVisible;
    this.isHeldByOther = options.isHeldByOther;
    this.#locks = options.locks;
    this.#timeout = options.timeout;
    this.#failures = options.failures;
    this.#records = options.records;
    this.#creation = options.creation;
    let shown: string | undefined;
    this.#show = (text) => {
      if (text !== shown) options.progress(text);
      shown = text;
    };
  }

  /** Sends a request that only reads. */
  read<A>(request: Request<A>): Promise<A> {
    return this.client.send(request, this.#limits());
  }

  /** Every entry of a list. */
  list<Item, Page>(request: PagedRequest<Item, Page>, options: PageOptions = {}): AsyncGenerator<Item, void> {
    return this.client.list(request, { ...options, ...this.#limits() });
  }

  /** Every project that this key sees, as far as the query goes. */
  projects(query: ProjectListQuery): AsyncGenerator<Project, void> {
    return allProjects(this.client, query, { pageSize: 400, ...this.#limits() });
  }

  /** Waits for the project's turn. Giving it back clears what was shown meanwhile. */
  async acquireLock(project: string | undefined, what: string): Promise<Release> {
    const release = await this.#locks.acquire(project, what, (behind) => this.#show(`queued behind: ${behind}`));
    return () => {
      this.#show("");
      release();
    };
  }

  /** Creates an object and waits until it is there. */
  async create<A extends object, Outputs>(creation: Creation<A, Outputs>): Promise<Found<Outputs>> {
    const record = this.#creation as CreationRecord<Outputs> | undefined;
    if (record === undefined) throw new TypeError("this call cannot create");
    const tag = await record.begin(this);
    const sentAt = this.client.serverClock.capture();
    this.#show(creation.what);
    const { found, operations } = await this.#sendCreation(creation, tag, record).catch(async (error: unknown) => {
      if (!OutcomeUnknownError.isInstance(error)) await record.discard();
      throw error;
    });
    this.progress.create(found);
    await record.answered(found);
    const project = (found.outputs as Values)["projectId"] as string | undefined;
    await this.#wait(operations ?? (await this.#unfinishedSince(project, sentAt)), []);
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
        const answer = await this.#send(request);
        return { found: creation.record(answer), operations: operationsOf(answer) };
      } catch (error) {
        // A refusal as a duplicate, after an answer was lost, can mean that the lost request has made it after all.
        const duplicate = lost && HttpError.isInstance(error) && error.status === 409;
        if (!OutcomeUnknownError.isInstance(error) && !duplicate) throw error;
        this.#show(`${creation.what}: the answer was lost, looking for the result`);
        const found = await this.#look(() => record.locate(this)).catch((cause: unknown) => {
          throw unresolved(error, lookFailed(cause), "The next `pulumi up` looks again first.", cause);
        });
        if (found !== undefined && record.deleteUseless !== undefined) {
          await record.deleteUseless(this, found);
          this.#assertTime(unresolved(error, "What it had made was removed", "The next `pulumi up` goes on."));
          continue;
        }
        if (found !== undefined) return { found, operations: undefined };
        if (duplicate) throw error;
        if (!creation.repeatable) {
          throw unresolved(error, nothingFound, "The next `pulumi up` looks again first.");
        }
        this.#assertTime(unresolved(error, nothingFound, "The next `pulumi up` goes on."));
      }
    }
  }

  /**
   * Changes or removes an object and waits until that is done. The answer is missing when it was lost, or when an earlier
   * run has got it.
   */
  async change<A extends object>(change: Change<A>): Promise<A | undefined> {
    const { applies = [], once } = change;
    const earlier = once && (await this.#records.find(once));
    const record = earlier ?? (once && (await this.#records.write(once)));
    const { before = {} } = record ?? {};
    const sentAt = earlier === undefined ? this.client.serverClock.capture() : () => earlier.sentAt;
    const wasDone = earlier !== undefined && (await change.done(before));
    if (wasDone) {
      this.warn(`An earlier run, which was interrupted, has done this already: ${change.what}. It is not done again.`);
    }
    this.#show(change.what);
    const answer = wasDone ? undefined : await this.#sendChange(change, record);
    const operations =
      answer === undefined ? await this.#unfinishedSince(change.project, sentAt) : operationsOf(answer);
    this.progress.accept(applies, change.record?.(answer), record?.number);
    // However the operations of an earlier run have ended, what it has done is not done again.
    await this.#wait(operations, wasDone ? [] : applies);
    if (change.silent === true && answer !== undefined && !(await this.#turnsOutDone(change, before))) {
      throw notDone(change);
    }
    this.progress.settle(applies);
    return answer;
  }

  /** Sends a change until it is answered, or turns out to be done. */
  async #sendChange<A extends object>(
    change: Change<A>,
    record: IdempotencyRecord | undefined,
  ): Promise<A | undefined> {
    for (;;) {
      try {
        return await this.#send(change.request);
      } catch (error) {
        if (!OutcomeUnknownError.isInstance(error)) {
          if (record !== undefined) await this.#records.discard(record);
          throw error;
        }
        this.progress.sent(change.applies ?? []);
        this.#show(`${change.what}: the answer was lost, looking for the result`);
        const done = await this.#turnsOutDone(change, record?.before ?? {}).catch((cause: unknown) => {
          // That the object is not there any more is an answer, too.
          throw isNotFound(cause) ? cause : unresolved(error, lookFailed(cause), runAgain, cause);
        });
        if (done) return undefined;
        this.#assertTime(unresolved(error, "It has changed nothing so far", runAgain));
      }
    }
  }

  async #turnsOutDone({ done }: Pick<Change<object>, "done">, before: Values): Promise<boolean> {
    return (await this.#look(async () => ((await done(before)) ? true : undefined))) ?? false;
  }

  /**
   * Waits for the operations that an earlier call has left behind.
   *
   * @returns whether they ended well; if not, nothing is under way any more, and what they were to apply is owed
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
      // The platform forgets operations after some months: then only the object itself can tell.
      const forgotten = PlatformError.isInstance(error) && error.kind === "operation-unknown";
      if (!this.progress.endedBadly && !forgotten) throw error;
    }
    this.progress.owe(pending.applies);
    await this.settle(project);
    this.progress.fail();
    return false;
  }

  /**
   * Goes on with what another run has begun at that time, by the platform's clock.
   *
   * @returns whether no operation of the project has ended badly since; if one has, only the object itself can tell
   */
  async goOn(project: string | undefined, since: Date): Promise<boolean> {
    this.progress.resume();
    const before = await this.settle(project);
    this.progress.finish();
    const endedBadly = before.some((one) => isSince(one, since) && progressOf(one.status) === "failure");
    if (endedBadly) this.progress.fail();
    return !endedBadly;
  }

  /**
   * Waits for whatever is under way in a project; what stands in none has nothing under way.
   *
   * @returns the latest operations as they were before, newest first
   */
  async settle(project: string | undefined): Promise<readonly Operation[]> {
    const all = project === undefined ? [] : await this.#operationsOf(project, undefined);
    await this.#wait(
      all.filter(({ status }) => !isEnded(status)),
      [],
    );
    return all;
  }

  async #send<A>(request: Request<A>): Promise<A> {
    const { clock } = this.client;
    this.#deadline ??= new Deadline(clock.now() + this.#timeout);
    let lockedSince: number | undefined;
    const answer = await this.client.send(request, {
      deadline: this.#deadline,
      onRetry: (error) => {
        const isLocked = HttpError.isInstance(error) && error.status === 423;
        if (isLocked) lockedSince ??= clock.now();
        this.#show(isLocked ? "waiting for other operations on the project" : `trying again: ${error.summary}`);
      },
      untilUnlocked: (deadline) => this.#untilUnlocked(request, deadline),
    });
    // What others had under way before is not what the time is meant for.
    if (lockedSince !== undefined) this.#deadline.extend(clock.now() - lockedSince);
    return answer;
  }

  /**
   * Waits for what others have under way in the project that a request is for, however it ends. Whoever only asks again
   * now and then hardly ever comes between the changes of somebody who makes one after the other.
   */
  async #untilUnlocked({ path }: Request<unknown>, deadline: number): Promise<boolean> {
    const project = /^\/projects\/([^/]+)\//.exec(path)?.[1];
    if (project === undefined) return false;
    const latest = await this.#operationsOf(project, undefined, 20).catch(() => []);
    const pending = latest.filter(({ status }) => !isEnded(status));
    if (pending.length === 0) return false;
    const { clock } = this.client;
    const oldest = Math.min(...pending.map(({ created_at }) => Date.parse(created_at)));
    const since = clock.now() - Math.max(0, this.client.serverClock.now().getTime() - oldest);
    await this.client.wait(pending, { deadline, since }).catch(() => undefined);
    return true;
  }

  async #wait(operations: readonly Operation[], applies: readonly string[]): Promise<void> {
    this.progress.wait(operations, applies);
    const { clock } = this.client;
    const since = clock.now();
    this.#deadline ??= new Deadline(since + this.#timeout);
    const onProgress = (pending: readonly Operation[]): void => {
      const first = pending[0];
      if (first === undefined) return;
      const others = pending.length > 1 ? ` (and ${pending.length - 1} more)` : "";
      this.#show(`${first.action} ${first.status}${others}, ${Math.round((clock.now() - since) / 1000)} s`);
    };
    try {
      await this.client.wait(operations, { deadline: this.#deadline, onProgress });
      this.progress.finish();
    } catch (error) {
      this.progress.fail(OperationFailedError.isInstance(error) && isEnded(error.operation.status));
      if (OperationFailedError.isInstance(error)) this.#failures.add(error.operation.id);
      throw error;
    }
  }

  /** The same look several times: what was sent may still be on its way through the platform. */
  async #look<Result>(look: () => Promise<Result | undefined>): Promise<Result | undefined> {
    const { clock } = this.client;
    for (let looks = 1; ; looks += 1) {
      const result = await look();
      if (result !== undefined || looks === looksForLost) return result;
      await clock.sleep(backoffDelay(looks * 2_500));
    }
  }

  #assertTime(error: Error): void {
    if (this.#deadline !== undefined && this.client.clock.now() >= this.#deadline.at) throw error;
  }

  /**
   * The operations that a change whose answer was lost can have started, without those that have ended well. One that has
   * ended badly meanwhile is to fail the change as if it had been waited for.
   */
  async #unfinishedSince(project: string | undefined, sentAt: () => Date): Promise<readonly Operation[]> {
    if (project === undefined) return [];
    const all = await this.#operationsOf(project, sentAt());
    return all.filter(({ id, status }) => progressOf(status) !== "success" && !this.#failures.has(id));
  }

  /** The latest operations of a project, newest first, none of them older than this by the platform's clock. */
  async #operationsOf(project: string, since: Date | undefined, limit = 200): Promise<readonly Operation[]> {
    const found: Operation[] = [];
    for await (const operation of this.list(operationRequests.list(project), { limit })) {
      if (since !== undefined && !isSince(operation, since)) break;
      found.push(operation);
    }
    return found;
  }

  /** A read after the deadline still has half a minute. */
  #limits(): Pick<SendOptions, "deadline"> {
    if (this.#deadline === undefined) return {};
    const at = Math.max(this.#deadline.at, this.client.clock.now() + 30_000);
    return { deadline: new Deadline(at, [this.#deadline]) };
  }
}

/** What an answer says has to be waited for. Answers to some changes have no such member at all. */
function operationsOf(answer: { readonly operations?: unknown }): readonly Operation[] {
  // Where the platform documents it, the answer's schema has read it.
  return (answer.operations as readonly Operation[] | undefined) ?? [];
}

function notDone({ what, request: { method, path } }: Pick<Change<object>, "what" | "request">): PlatformError {
  return new PlatformError(
    "outcome-unknown",
    `The platform has answered ${method} ${path} as if this were done, and it is not: ${what}`,
    undefined,
    { retry: runAgain },
  );
}

/** Whether an operation is not older than this by the platform's clock. */
function isSince({ created_at }: Operation, since: Date): boolean {
  return Date.parse(created_at) >= since.getTime() - secondSlack;
}

const runAgain = "Run the same command again.";
const nothingFound = "Nothing was found that it could have made";

function lookFailed(cause: unknown): string {
  return `Looking for the result failed, too: ${describeError(cause, {})}`;
}

/** Still not known what became of a change, after looking for it: says so, and what happens next. */
function unresolved(error: Error, finding: string, again: string, cause: unknown = error): PlatformError {
  return new PlatformError("outcome-unknown", `${summaryOf(error)}. ${finding}`, cause, { retry: again });
}
