import type { ControlPlane } from "../model/control-plane";
import type { Store } from "../storage/store";
import type { Job } from "./jobs";

/** A timer cannot be set further ahead than about 24 days. */
const furthestMs = 86_400_000;

/** Does what the control plane owes when it is due, with one timer for all of it; nothing before it is first set. */
export class Scheduler {
  readonly #plane: ControlPlane;
  readonly #store: Store;
  readonly #jobs: readonly Job[];
  #due: number | undefined;
  #cancel: (() => void) | undefined;
  #stopped = false;

  constructor(plane: ControlPlane, store: Store, jobs: readonly Job[]) {
    this.#plane = plane;
    this.#store = store;
    this.#jobs = jobs;
  }

  /** Does what is due by now, so that whoever looks sees things as they should be at this moment. */
  ring(): void {
    if (this.#due === undefined || this.#due > this.#plane.clock.now()) return;
    this.#store.transaction(() => {
      const now = this.#plane.clock.now();
      for (let job = this.#dueBy(now); job; job = this.#dueBy(now)) job.run(this.#plane, now);
    });
    this.set();
  }

  /** Looks again for what is due next; to be called after every change. */
  set(): void {
    if (this.#stopped) return;
    const moments = this.#jobs.map((job) => job.due(this.#plane)).filter((due) => due !== undefined);
    const due = moments.length === 0 ? undefined : Math.min(...moments);
    if (due === this.#due && this.#cancel) return;
    this.#due = due;
    this.#cancel?.();
    this.#cancel = undefined;
    if (due === undefined) return;
    const wait = Math.min(furthestMs, Math.max(0, Math.ceil(due - this.#plane.clock.now())));
    this.#cancel = this.#plane.clock.after(wait, () => {
      this.#cancel = undefined;
      this.ring();
      this.set();
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #dueBy(now: number): Job | undefined {
    return this.#jobs.find((job) => (job.due(this.#plane) ?? Infinity) <= now);
  }
}
