import type { Clock } from "../../platform/clock";

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** A clock of a platform that only a test advances. */
export class ManualPlatformClock implements Clock {
  #now: number;
  #timers: Timer[] = [];

  constructor(start = Date.parse("2030-01-01T00:00:00Z")) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer = { at: this.#now + milliseconds, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Advances the time and runs each timer at its time. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (;;) {
      const [next] = this.#timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (!next) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = end;
  }

  /** The number of timers that are set. */
  get waiting(): number {
    return this.#timers.length;
  }
}
