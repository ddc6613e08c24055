import { type Clock, reasonOf } from "../../api/core/clock";
import type { Clock as PlatformClock } from "../../platform/clock";

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/**
 * The clock of a platform and of the providers in the same process. It runs like the system's, but skips the time in
 * which a provider only waits: no request is in progress, and the next event is a timer.
 */
export class HurriedClock implements Clock, PlatformClock {
  #skipped = 0;
  #requests = 0;
  #sleepers = 0;
  #timers = new Set<Timer>();
  #alarm: NodeJS.Timeout | undefined;
  #isChecking = false;

  now(): number {
    return Date.now() + this.#skipped;
  }

  date(): Date {
    return new Date(this.now());
  }

  /** Skips this time, whatever is in progress. */
  putForward(milliseconds: number): void {
    this.#skipped += milliseconds;
    this.#changed();
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer = { at: this.now() + Math.max(0, milliseconds), run };
    this.#timers.add(timer);
    this.#changed();
    return () => {
      this.#timers.delete(timer);
      this.#changed();
    };
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(reasonOf(signal));
        return;
      }
      const waits = milliseconds <= longestWait ? 1 : 0;
      const ended = (): void => {
        this.#sleepers -= waits;
        signal?.removeEventListener("abort", stop);
      };
      const stop = (): void => {
        cancel();
        ended();
        if (signal) reject(reasonOf(signal));
      };
      this.#sleepers += waits;
      const cancel = this.after(milliseconds, () => {
        ended();
        resolve();
      });
      signal?.addEventListener("abort", stop, { once: true });
    });
  }

  /** Sends a request during which no time is skipped. */
  async during<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    this.#requests += 1;
    try {
      return await request();
    } finally {
      this.#requests -= 1;
      this.#changed();
    }
  }

  #changed(): void {
    clearTimeout(this.#alarm);
    const next = this.#next();
    if (next === undefined) return;
    this.#alarm = setTimeout(() => this.#ring(), Math.min(Math.max(0, next.at - this.now()), longest));
    if (!this.#isChecking && this.#isIdle) this.#check(0);
  }

  get #isIdle(): boolean {
    return this.#requests === 0 && this.#sleepers > 0;
  }

  /** Skips time if nothing else happens in these turns of the event loop. */
  #check(turns: number): void {
    this.#isChecking = true;
    setImmediate(() => {
      if (this.#isIdle && turns < idleTurns) {
        this.#check(turns + 1);
        return;
      }
      this.#isChecking = false;
      const next = this.#next();
      if (!this.#isIdle || next === undefined || works()) return;
      this.#skipped += Math.max(0, next.at - this.now());
      this.#ring();
    });
  }

  #ring(): void {
    const next = this.#next();
    if (next !== undefined && next.at <= this.now()) {
      this.#timers.delete(next);
      next.run();
    }
    this.#changed();
  }

  #next(): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) if (next === undefined || timer.at < next.at) next = timer;
    return next;
  }
}

/** The longest wait of a provider between two requests: a longer sleep is a time limit. In milliseconds. */
const longestWait = 10_000;

/** Whether other processes or files are busy, for example with the build of a function. */
function works(): boolean {
  return process.getActiveResourcesInfo().some((name) => name === "ProcessWrap" || name.startsWith("FSReq"));
}

/** The longest timer of Node, which fires longer ones at once. In milliseconds. */
const longest = 2 ** 31 - 1;

const idleTurns = 3;
