import { backoffMs } from "../clock";
import type { ControlPlane } from "../model/control-plane";
import { StorageError } from "../storage/storage-error";
import type { Store } from "../storage/store";
import type { Job, DueWork } from "./jobs";

/** Timers longer than about 24 days overflow. */
const maxTimerMs = 86_400_000;

/**
 * Runs jobs when they are due, with a single timer. The first call of {@link Scheduler.reschedule} starts it; from then on, the
 * feed of changes calls that.
 */
export class Scheduler {
  readonly #controlPlane: ControlPlane;
  readonly #store: Store;
  readonly #jobs: readonly Job[];
  #due = Infinity;
  #cancelTimer: (() => void) | undefined;
  #isStopped = false;
  /** The number of failures of the timer in a row. */
  #failures = 0;

  constructor(controlPlane: ControlPlane, store: Store, jobs: readonly Job[]) {
    this.#controlPlane = controlPlane;
    this.#store = store;
    this.#jobs = jobs;
  }

  /**
   * Runs everything that is due by now. Called before each request, so that a late timer is never visible.
   *
   * @throws StorageError if the result cannot be stored, or if the data folder cannot be used
   */
  runDueJobs(): void {
    this.#store.checkFolder();
    if (this.#due > this.#controlPlane.clock.now()) return;
    this.#store.transaction(() => {
      const now = this.#controlPlane.clock.now();
      for (let work = this.#workDueBy(now); work; work = this.#workDueBy(now)) work.run(now);
    });
    this.#failures = 0;
    this.reschedule();
  }

  /** Sets the timer for the next due job. Called after every change, which stays stored if this fails. */
  reschedule(): void {
    if (this.#isStopped) return;
    try {
      this.#setTimer();
    } catch (error) {
      this.#retryLater(error);
    }
  }

  #setTimer(): void {
    const due = Math.min(...this.#jobs.map((job) => job.next()?.due ?? Infinity));
    if (due === this.#due && this.#cancelTimer) return;
    this.#due = due;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (due === Infinity) return;
    this.#wakeAfter(Math.min(maxTimerMs, Math.max(0, Math.ceil(due - this.#controlPlane.clock.now()))));
  }

  #wakeAfter(milliseconds: number): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#controlPlane.clock.after(milliseconds, () => {
      this.#cancelTimer = undefined;
      try {
        this.runDueJobs();
        this.reschedule();
      } catch (error) {
        this.#retryLater(error);
      }
    });
  }

  /** While nothing can be stored, the timer tries again, and so does each request. */
  #retryLater(error: unknown): void {
    const explained = this.#store.explain(error);
    if (!(explained instanceof StorageError)) throw explained;
    this.#failures += 1;
    this.#wakeAfter(backoffMs(this.#failures));
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  /** The next work of the first job that has something to do by now. */
  #workDueBy(now: number): DueWork | undefined {
    for (const job of this.#jobs) {
      const work = job.next();
      if (work && work.due <= now) return work;
    }
    return undefined;
  }
}
