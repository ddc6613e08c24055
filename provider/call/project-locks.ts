import { reasonOf } from "../../api/core/clock";

interface Queue {
  /** The action of the lock's holder, shown to waiting callers. */
  holder: string;
  readonly waiting: { readonly what: string; readonly start: () => void }[];
}

/**
 * Allows one mutation at a time per project, first come, first served. Concurrent ones would be useless, because the
 * platform refuses them. Different projects do not wait for each other.
 */
export class ProjectLocks {
  readonly #queues = new Map<string, Queue>();

  /**
   * Resolves when the caller has the lock of the project, with a function that releases it.
   *
   * @param project `undefined` for work that belongs to no project and never waits
   * @param what the caller's action, shown to waiting callers
   * @param onWait called with the holder's action if the caller has to wait
   * @throws the signal's reason if it fires before
   */
  async acquire(
    project: string | undefined,
    what: string,
    onWait: (holder: string) => void,
    signal?: AbortSignal,
  ): Promise<() => void> {
    if (project === undefined) return () => undefined;
    const queue = this.#queues.get(project);
    if (queue === undefined) {
      this.#queues.set(project, { holder: what, waiting: [] });
    } else {
      onWait(queue.holder);
      await this.#wait(queue, what, signal);
    }
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#next(project);
    };
  }

  /** Whether a call has the lock of the project. */
  isHeld(project: string | undefined): boolean {
    return project !== undefined && this.#queues.has(project);
  }

  #wait(queue: Queue, what: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        queue.waiting.splice(queue.waiting.indexOf(waiting), 1);
        if (signal !== undefined) reject(reasonOf(signal));
      };
      const start = (): void => {
        signal?.removeEventListener("abort", abort);
        resolve();
      };
      const waiting = { what, start };
      queue.waiting.push(waiting);
      if (signal?.aborted === true) abort();
      else signal?.addEventListener("abort", abort, { once: true });
    });
  }

  #next(project: string): void {
    const queue = this.#queues.get(project);
    const next = queue?.waiting.shift();
    if (queue === undefined || next === undefined) {
      this.#queues.delete(project);
    } else {
      queue.holder = next.what;
      next.start();
    }
  }
}
