import type { ControlPlane } from "../model/control-plane";
import type { Store } from "../storage/store";
import type { Job } from "./jobs";

/** Timers longer than about 24 days overflow. */
const maxTimerMs = 86_400_000;

/** Runs jobs when they are due, with a single timer. It is idle until {@link Scheduler.reschedule} is first called. */
export class Scheduler {
  readonly #controlPlane: ControlPlane;
  readonly #store: Store;
  readonly #jobs: readonly Job[];
  #due: number | undefined;
  #cancelTimer: (() => void) | undefined;
  #isStopped = false;

  constructor(controlPlane: ControlPlane, store: Store, jobs: readonly Job[]) {
    this.#controlPlane = controlPlane;
    this.#store = store;
    this.#jobs = jobs;
  }

  /** Runs everything that is due by now. Called before each request, so that a late timer is never visible. */
  runDueJobs(): void {
    if (this.#due === undefined || this.#due > this.#controlPlane.clock.now()) return;
    this.#store.transaction(() => {
      const now = this.#controlPlane.clock.now();
      for (let job = this.#jobDueBy(now); job; job = this.#jobDueBy(now)) job.run(this.#controlPlane, now);
    });
    this.reschedule();
  }

  /** Sets the timer for the next due job. Called after every change. */
  reschedule(): void {
    if (this.#isStopped) return;
    const moments = this.#jobs.map((job) => job.due(this.#controlPlane)).filter((due) => due !== undefined);
    const due = moments.length === 0 ? undefined : Math.min(...moments);
    if (due === this.#due && this.#cancelTimer) return;
    this.#due = due;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (due === undefined) return;
    const delay = Math.min(maxTimerMs, Math.max(0, Math.ceil(due - this.#controlPlane.clock.now())));
    this.#cancelTimer = this.#controlPlane.clock.after(delay, () => {
      this.#cancelTimer = undefined;
      this.runDueJobs();
      this.reschedule();
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #jobDueBy(now: number): Job | undefined {
    return this.#jobs.find((job) => (job.due(this.#controlPlane) ?? Infinity) <= now);
  }
}
