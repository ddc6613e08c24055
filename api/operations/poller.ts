import type { Clock } from "../core/clock";
import { Deadline } from "../core/deadline";
import { ignoreNotFound, isNotFound, NeonError } from "../core/errors";
import type { Request } from "../core/request";
import type { Outcome } from "../http/outcome";
import { defaultPageSize, pages } from "../http/pagination";
import { type Operation, operations as operationRequests } from "../schemas/operation";

/** Sends a request once. The next poll is the retry, so that errors use up the deadline and nothing else. */
export type SendOnce = <Response>(
  request: Request<Response>,
  deadline: Deadline,
  signal: AbortSignal,
) => Promise<Outcome<Response>>;

/** The operations that a poll returned, by id; `undefined` for a 404. Operations whose request failed are missing. */
export type Polled = ReadonlyMap<string, Operation | undefined>;

/** Maximum number of pages of operations that a poll reads. Operations on later pages are fetched by id. */
const maxPages = 3;

/** Someone who waits for operations of a project. */
export interface Subscriber {
  /** The operations to poll for. */
  readonly operations: readonly Operation[];
  /** When to poll next, on the poller's clock. */
  readonly nextPoll: number;
  /** When the wait ends. */
  readonly end: number;
  /** Extended by the time that polls wait in this process for the rate limit. */
  readonly deadline: Deadline;
  /** @param sentAt when the poll was sent, on the poller's clock */
  readonly onPoll: (polled: Polled, sentAt: number) => void;
  readonly onPollError: (error: NeonError) => void;
}

interface ProjectPolls {
  readonly subscribers: Set<Subscriber>;
  /** Aborted when the last subscriber is gone: ends a poll that is queued or in flight. */
  readonly abandoned: AbortController;
  /** Ends the sleep before the next poll. */
  wake: () => void;
}

/**
 * Polls for operations. All subscribers of a project share its polls: a single operation is fetched by its id, several
 * operations with one list request.
 */
export class OperationPoller {
  readonly #clock: Clock;
  readonly #sendOnce: SendOnce;
  readonly #projects = new Map<string, ProjectPolls>();

  constructor(clock: Clock, sendOnce: SendOnce) {
    this.#clock = clock;
    this.#sendOnce = sendOnce;
  }

  subscribe(project: string, subscriber: Subscriber): void {
    const polls = this.#projects.get(project);
    if (polls === undefined) {
      const started = { subscribers: new Set([subscriber]), abandoned: new AbortController(), wake: () => undefined };
      this.#projects.set(project, started);
      void this.#run(project, started);
    } else {
      polls.subscribers.add(subscriber);
      polls.wake();
    }
  }

  unsubscribe(project: string, subscriber: Subscriber): void {
    const polls = this.#projects.get(project);
    if (polls?.subscribers.delete(subscriber) !== true || polls.subscribers.size > 0) return;
    this.#projects.delete(project);
    polls.abandoned.abort();
    polls.wake();
  }

  async #run(project: string, polls: ProjectPolls): Promise<void> {
    while (polls.subscribers.size > 0) {
      const nextPoll = Math.min(...[...polls.subscribers].map((subscriber) => subscriber.nextPoll));
      const delay = nextPoll - this.#clock.now();
      if (delay > 0) await this.#sleep(delay, polls);
      else await this.#pollAndNotify(project, polls);
    }
  }

  async #sleep(delay: number, polls: ProjectPolls): Promise<void> {
    const awake = new AbortController();
    polls.wake = () => awake.abort();
    await this.#clock.sleep(delay, awake.signal).catch(() => undefined);
    polls.wake = () => undefined;
  }

  /** Polls once and notifies all subscribers, also those that are not due: one list request shows all operations. */
  async #pollAndNotify(project: string, polls: ProjectPolls): Promise<void> {
    const subscribers = [...polls.subscribers];
    const sentAt = this.#clock.now();
    const { polled, error } = await this.#poll(project, subscribers, polls.abandoned.signal);
    const isSubscribed = (subscriber: Subscriber): boolean => polls.subscribers.has(subscriber);
    for (const subscriber of subscribers.filter(isSubscribed)) {
      const isComplete = subscriber.operations.every(({ id }) => polled.has(id));
      if (polled.size > 0) subscriber.onPoll(polled, sentAt);
      if (error !== undefined && !isComplete && isSubscribed(subscriber)) subscriber.onPollError(error);
    }
  }

  /** Returns the operations that could be read, even if a request fails. */
  async #poll(
    project: string,
    subscribers: readonly Subscriber[],
    signal: AbortSignal,
  ): Promise<{ readonly polled: Polled; readonly error?: NeonError }> {
    const wanted = new Map(
      subscribers.flatMap(({ operations }) => operations.map((operation) => [operation.id, operation] as const)),
    );
    const deadline = new Deadline(
      Math.min(...subscribers.map(({ end }) => end)),
      subscribers.map((subscriber) => subscriber.deadline),
    );
    const send: Send = async (request) => {
      const outcome = await this.#sendOnce(request, deadline, signal);
      if (outcome.is === "succeeded") return outcome.response;
      throw outcome.error;
    };
    const polled = new Map<string, Operation | undefined>();
    try {
      if (wanted.size > 1) {
        for (const operation of await list(project, [...wanted.values()], send)) polled.set(operation.id, operation);
      }
      // Absence from a list is no evidence that an operation does not exist.
      for (const id of wanted.keys()) {
        if (!polled.has(id))
          polled.set(id, (await ignoreNotFound(send(operationRequests.get(project, id))))?.operation);
      }
      return { polled };
    } catch (cause) {
      const error = NeonError.isInstance(cause) ? cause : new NeonError("unreachable", String(cause), cause);
      return { polled, error };
    }
  }
}

type Send = <Response>(request: Request<Response>) => Promise<Response>;

/** Lists a project's operations, newest first, back to the oldest wanted one. */
async function list(project: string, wanted: readonly Operation[], send: Send): Promise<readonly Operation[]> {
  const oldest = Math.min(...wanted.map(({ created_at }) => Date.parse(created_at)));
  const missing = new Set(wanted.map(({ id }) => id));
  const listed: Operation[] = [];
  // The wanted operations are among the latest. One page shows them all, even if others have been started since.
  const pageSize = Math.max(defaultPageSize, 2 * wanted.length);
  let count = 0;
  try {
    for await (const { items } of pages(operationRequests.list(project), send, { pageSize })) {
      listed.push(...items);
      for (const { id } of items) missing.delete(id);
      count += 1;
      if (missing.size === 0 || count === maxPages) break;
      if (items.some(({ created_at }) => Date.parse(created_at) < oldest)) break;
    }
  } catch (error) {
    // After a 404 for the list, the operations are fetched by id.
    if (!isNotFound(error)) throw error;
  }
  return listed;
}
