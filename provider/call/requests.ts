import { isAskedFor, type NeonClient, type SendOptions } from "../../api/client";
import { backoffDelay } from "../../api/core/backoff";
import { Deadline } from "../../api/core/deadline";
import { isBusy, OutcomeUnknownError } from "../../api/core/errors";
import type { PagedRequest, Request } from "../../api/core/request";
import { type ListPage, type PageOptions, pages } from "../../api/http/pagination";
import { OperationFailedError } from "../../api/operations/errors";
import type { Operation } from "../../api/schemas/operation";
import { type Answer, type Collection, projectIn, readAlone, readListed } from "./collection";
import type { Lists } from "./lists";
import { ProjectOperations } from "./project-operations";

/** The settings and services of one call's requests. */
interface RequestOptions {
  readonly client: NeonClient;
  /** How long the mutations of this call may take, in milliseconds, counted from the first one. */
  readonly timeout: number;
  /** Ends waiting for locks, sleeping and polling. */
  readonly signal: AbortSignal | undefined;
  /** Shows the reason for waiting. */
  readonly progress: (text: string) => void;
  /** Ids of the operations that this process has seen fail. None of them belongs to a lost response. */
  readonly failures: Set<string>;
  readonly lists: Lists;
  /** How objects are read. */
  readonly reads: Reads;
  /** Whether `timeout` limits reads, too, and counts from the first request. */
  readonly limitsReads: boolean;
}

/**
 * How a call reads an object.
 *
 * - `listed`: from a list that this process has just read, if there is one; only in calls that change nothing;
 * - `alone`: with a request of its own, which confirms the answer of a list;
 * - `confirmed`: with a request of its own, and the object counts as absent only if its list does not have it either.
 */
export type Reads = "listed" | "alone" | "confirmed";

/** How many times to search for the result of a request whose response was lost. */
const searches = 4;

/** How much longer than the deadline a read may take, in milliseconds, to find out the result of a mutation. */
const readSlack = 30_000;

/** Sends the requests of one call and waits for operations, within the call's time. */
export class Requests {
  readonly client: NeonClient;
  readonly operations: ProjectOperations;
  readonly #options: RequestOptions;
  /** How objects are read now. */
  reads: Reads;
  /** Whether a list has answered a read that a read of the object alone can confirm. */
  #isListed = false;
  #deadline: Deadline | undefined;
  #shown = "";
  /** Objects as this call has read them since its last change. A kept object answers the next read. */
  readonly #seen = new Map<string, { readonly item: unknown; isKept: boolean }>();

  constructor(options: RequestOptions) {
    this.client = options.client;
    this.#options = options;
    this.reads = options.reads;
    this.operations = new ProjectOperations({
      ...options,
      list: (request, pageOptions) => this.list(request, pageOptions),
      wait: (operations) => this.wait(operations),
    });
  }

  /** Shows a text in the resource's row; an empty text clears the row. */
  show(text: string): void {
    if (text !== this.#shown) this.#options.progress(text);
    this.#shown = text;
  }

  /** Sends a request that only reads. */
  read<A>(request: Request<A>): Promise<A> {
    return this.client.send(request, this.#readOptions());
  }

  /**
   * Reads an object as this call reads: from the response of its last change, from the list of its collection, or
   * alone. Undefined if it does not exist.
   */
  async readOne<Item>(collection: Collection<Item>, key: string, reads: Reads = this.reads): Promise<Item | undefined> {
    const name = `${collection.name} ${key}`;
    const seen = this.#seen.get(name);
    const item = seen?.isKept === true ? (seen.item as Item | undefined) : await this.#find(collection, key, reads);
    // Answers once; the next read is sent.
    this.#seen.set(name, { item, isKept: false });
    return item;
  }

  async #find<Item>(collection: Collection<Item>, key: string, reads: Reads): Promise<Item | undefined> {
    const listed = reads === "listed" ? await this.#options.lists.read(collection, key) : undefined;
    if (listed !== undefined) {
      // If no request reads an object alone, reading it again would only ask the same list.
      this.#isListed ||= collection.get !== undefined;
      return listed.item;
    }
    const found = await readAlone(this, collection, key);
    return found === undefined && reads === "confirmed" ? readListed(this, collection, key) : found;
  }

  /**
   * Reads objects in the given way. `isListed`: the result comes from a list and can be confirmed by reading the object
   * alone.
   */
  async reading<Result>(
    reads: Reads,
    read: () => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly isListed: boolean }> {
    const { reads: usual } = this;
    this.reads = reads;
    this.#isListed = false;
    try {
      return { result: await read(), isListed: this.#isListed };
    } finally {
      this.reads = usual;
    }
  }

  /** All entries of a list, page by page. */
  pages<Item, Page>(request: PagedRequest<Item, Page>, pageSize?: number): AsyncGenerator<ListPage<Item>, void> {
    return pages(request, (page) => this.read(page), { pageSize });
  }

  /** All entries of a list. */
  list<Item, Page>(request: PagedRequest<Item, Page>, options: PageOptions = {}): AsyncGenerator<Item, void> {
    return this.client.list(request, { ...options, ...this.#readOptions() });
  }

  /**
   * Sends a mutation. The time while other changes keep the project locked does not count.
   *
   * @param beforeRetry a check before the mutation is sent again
   * @throws OutcomeUnknownError if it may have been performed, even if a response asks to send it again
   */
  async mutate<A>(request: Request<A>, beforeRetry?: SendOptions["beforeRetry"]): Promise<A> {
    const { clock } = this.client;
    const deadline = this.#startedDeadline();
    const project = projectIn(request);
    let lockedSince: number | undefined;
    const response = await this.#changing([project], () =>
      this.client.send(request, {
        deadline,
        signal: this.#options.signal,
        onRetry: (error, delay) => {
          const isLocked = isBusy(error);
          const when = isAskedFor(delay) ? ` in ${Math.ceil(delay / 1000)} s` : "";
          if (isLocked) lockedSince ??= clock.now();
          this.show(isLocked ? "waiting for other operations on the project" : `retrying${when}: ${error.summary}`);
        },
        untilUnlocked: (until) => this.operations.waitUntilUnlocked(project, until),
        beforeRetry: async (reason) => {
          if (OutcomeUnknownError.isInstance(reason)) throw reason;
          await beforeRetry?.(reason);
        },
      }),
    );
    if (lockedSince !== undefined) deadline.extend(clock.now() - lockedSince);
    return response;
  }

  /** Waits until these operations have succeeded. */
  async wait(operations: readonly Operation[]): Promise<void> {
    if (operations.length === 0) return;
    const { clock } = this.client;
    const since = clock.now();
    const onProgress = (pending: readonly Operation[]): void => {
      const [first] = pending;
      if (first === undefined) return;
      const others = pending.length > 1 ? ` (and ${pending.length - 1} more)` : "";
      this.show(`${first.action} ${first.status}${others}, ${Math.round((clock.now() - since) / 1000)} s`);
    };
    try {
      const projects = operations.map(({ project_id: id }) => id);
      await this.#changing(projects, () =>
        this.client.wait(operations, {
          deadline: this.#startedDeadline(),
          signal: this.#options.signal,
          onProgress,
        }),
      );
    } catch (error) {
      if (OperationFailedError.isInstance(error)) this.#options.failures.add(error.operation.id);
      throw error;
    }
  }

  /**
   * Keeps these answers: the next read of each object sends no request, unless this call changes something first.
   * Default: the objects that it has just read.
   */
  keepAnswers(answers?: readonly Answer[]): void {
    if (answers === undefined) for (const seen of this.#seen.values()) seen.isKept = true;
    for (const { collection, key, item } of answers ?? [])
      this.#seen.set(`${collection} ${key}`, { item, isKept: true });
  }

  /** Runs work that changes objects of these projects. Earlier and concurrent reads of them are no longer returned. */
  async #changing<Result>(projects: readonly (string | undefined)[], work: () => Promise<Result>): Promise<Result> {
    const forget = (): void => {
      this.#seen.clear();
      for (const project of new Set(projects)) this.#options.lists.forget(project);
    };
    forget();
    try {
      return await work();
    } finally {
      forget();
    }
  }

  /**
   * Searches for a result several times, because a request that was sent may still be on its way through the platform.
   */
  async search<Result>(find: () => Promise<Result | undefined>): Promise<Result | undefined> {
    const { clock } = this.client;
    for (let count = 1; ; count += 1) {
      const result = await find();
      if (result !== undefined || count === searches) return result;
      await clock.sleep(backoffDelay(count * 2_500), this.#options.signal);
    }
  }

  /**
   * Polls for an effect that no operation reports, until it is found.
   *
   * @throws Error from `late`, if the time of this call is over
   */
  async until<Result>(
    find: (show: (text: string) => void) => Promise<Result | undefined>,
    late: () => Error,
  ): Promise<Result> {
    const { clock } = this.client;
    const deadline = this.#startedDeadline();
    const since = clock.now();
    for (;;) {
      const result = await find((text) => this.show(text));
      if (result !== undefined) return result;
      const now = clock.now();
      if (now >= deadline.at) throw late();
      await clock.sleep(Math.min(backoffDelay(now - since), deadline.at - now), this.#options.signal);
    }
  }

  /** Waits for the work of others, which does not count as time of this call. */
  async uncounted<Result>(wait: () => Promise<Result>): Promise<Result> {
    const { clock } = this.client;
    const since = clock.now();
    const result = await wait();
    this.#deadline?.extend(clock.now() - since);
    return result;
  }

  /** Throws the error if the time of this call is over. */
  assertTime(error: Error): void {
    if (this.#deadline !== undefined && this.client.clock.now() >= this.#deadline.at) throw error;
  }

  /** The deadline of this call. It starts with the first mutation, or with the first read if reads are limited. */
  #startedDeadline(): Deadline {
    return (this.#deadline ??= new Deadline(this.client.clock.now() + this.#options.timeout));
  }

  #readOptions(): Pick<SendOptions, "deadline" | "signal"> {
    const { signal, limitsReads } = this.#options;
    if (limitsReads) return { deadline: this.#startedDeadline(), signal };
    const deadline = this.#deadline;
    if (deadline === undefined) return { signal };
    const soonest = this.client.clock.now() + readSlack;
    return { deadline: deadline.at >= soonest ? deadline : new Deadline(soonest, [deadline]), signal };
  }
}
