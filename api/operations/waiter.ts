import { type Clock, reasonOf } from "../core/clock";
import { Deadline } from "../core/deadline";
import { defaultOperationTimeout } from "../core/duration";
import { HttpError, type NeonError } from "../core/errors";
import { isFinalStatus } from "../http/outcome";
import type { Operation } from "../schemas/operation";
import { OperationTimeoutError } from "./errors";
import { evaluate, type FailedGrace, type PendingOperation, seconds } from "./poll-result";
import { type LastDurations, PollSchedule } from "./poll-schedule";
import { OperationPoller, type Polled, type SendOnce, type Subscriber } from "./poller";

/** How to wait for operations. Times in milliseconds. */
export interface WaitOptions extends FailedGrace {
  /**
   * When to stop waiting, on the client's clock. Default: ten minutes from now.
   *
   * Time that polls wait in this process for the rate limit extends a `Deadline` for later requests, but not this wait:
   * the operations continue in the meantime.
   */
  readonly deadline?: Deadline | number | undefined;
  /** When the operations were started, on the client's clock. The backoff grows with their age. Default: now. */
  readonly since?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the pending operations at first and after each poll. */
  readonly onProgress?: ((pending: readonly Operation[]) => void) | undefined;
}

/** Waits until operations end. */
export class OperationWaiter {
  readonly #clock: Clock;
  readonly #durations: LastDurations = new Map();
  readonly #poller: OperationPoller;

  constructor(clock: Clock, sendOnce: SendOnce) {
    this.#clock = clock;
    this.#poller = new OperationPoller(clock, sendOnce);
  }

  /** Resolves when all operations have succeeded; see `NeonClient.wait`. */
  async wait(operations: readonly Operation[], options: WaitOptions): Promise<void> {
    const byProject = new Map<string, Operation[]>();
    for (const operation of operations) {
      const others = byProject.get(operation.project_id);
      if (others === undefined) byProject.set(operation.project_id, [operation]);
      else others.push(operation);
    }
    // The first failure ends the waits for the other projects.
    const failed = new AbortController();
    const signal = options.signal === undefined ? failed.signal : AbortSignal.any([options.signal, failed.signal]);
    const waits = [...byProject].map(([project, own]) => this.#waitFor(project, own, options, signal));
    try {
      await Promise.all(waits);
    } finally {
      failed.abort();
      await Promise.allSettled(waits);
    }
  }

  #waitFor(
    project: string,
    operations: readonly Operation[],
    options: WaitOptions,
    signal: AbortSignal,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error: Error | undefined): void => {
        signal.removeEventListener("abort", abort);
        this.#poller.unsubscribe(project, wait);
        if (error === undefined) resolve();
        else reject(error);
      };
      const wait = new Wait(this.#clock, operations, options, new PollSchedule(this.#durations, operations), settle);
      const abort = (): void => wait.settle(reasonOf(signal));
      if (signal.aborted) {
        abort();
        return;
      }
      signal.addEventListener("abort", abort, { once: true });
      // The mutation's own response counts as the first poll.
      wait.onPoll(new Map(operations.map((operation) => [operation.id, operation])), this.#clock.now());
      if (!wait.isSettled) this.#poller.subscribe(project, wait);
    });
  }
}

/** One caller's wait for the operations of one project. */
class Wait implements Subscriber {
  readonly deadline: Deadline;
  readonly end: number;
  nextPoll: number;
  isSettled = false;
  readonly #clock: Clock;
  readonly #pending: Map<string, PendingOperation>;
  readonly #finished: Operation[] = [];
  readonly #schedule: PollSchedule;
  readonly #since: number;
  readonly #options: WaitOptions;
  readonly #onSettled: (error: Error | undefined) => void;
  #lastPollError: NeonError | undefined;

  constructor(
    clock: Clock,
    operations: readonly Operation[],
    options: WaitOptions,
    schedule: PollSchedule,
    onSettled: (error: Error | undefined) => void,
  ) {
    const now = clock.now();
    const { since = now } = options;
    this.#clock = clock;
    this.#pending = new Map(operations.map((operation) => [operation.id, { operation }]));
    this.#schedule = schedule;
    // NaN and future times are not valid.
    this.#since = since <= now ? since : now;
    this.#options = options;
    this.#onSettled = onSettled;
    this.deadline = Deadline.derive(options.deadline ?? now + defaultOperationTimeout);
    this.end = this.deadline.at;
    this.nextPoll = now;
  }

  get operations(): readonly Operation[] {
    return [...this.#pending.values()].map(({ operation }) => operation);
  }

  onPoll(polled: Polled, sentAt: number): void {
    const context = { ...this.#options, now: this.#clock.now(), since: this.#since };
    for (const [id, previous] of this.#pending) {
      if (!polled.has(id)) continue;
      const evaluation = evaluate(previous, polled.get(id), context);
      if (evaluation.is === "failed") {
        this.settle(evaluation.error);
        return;
      }
      if (evaluation.is === "pending") {
        this.#pending.set(id, evaluation.pending);
      } else {
        this.#pending.delete(id);
        this.#finished.push(evaluation.operation);
      }
    }
    this.#lastPollError = undefined;
    if (this.#pending.size > 0) {
      this.#schedule.notePending(context.now - this.#since, this.#pending.size);
      this.#scheduleNextPoll();
    } else {
      this.#schedule.noteEnd(this.#finished, sentAt - this.#since);
      this.settle();
    }
  }

  onPollError(error: NeonError): void {
    const isFinal = HttpError.isInstance(error) ? isFinalStatus(error.status) : error.kind === "unknown-route";
    if (isFinal) {
      this.settle(error);
      return;
    }
    this.#lastPollError = error;
    this.#scheduleNextPoll();
  }

  settle(error?: Error): void {
    this.isSettled = true;
    this.#onSettled(error);
  }

  #scheduleNextPoll(): void {
    const now = this.#clock.now();
    const age = now - this.#since;
    if (now >= this.end) {
      this.settle(new OperationTimeoutError(this.operations, seconds(age), this.#lastPollError));
      return;
    }
    this.nextPoll = Math.min(now + this.#schedule.delay(age), this.end);
    this.#options.onProgress?.(this.operations);
  }
}
