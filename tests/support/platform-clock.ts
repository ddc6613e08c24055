import type { Clock } from "../../platform/clock";

interface Alarm {
  readonly at: number;
  readonly run: () => void;
}

/** A platform's time that only moves when a test moves it. */
export class ManualPlatformClock implements Clock {
  #now: number;
  #alarms: Alarm[] = [];

  constructor(start = Date.parse("2030-01-01T00:00:00Z")) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, run: () => void): () => void {
    const alarm = { at: this.#now + milliseconds, run };
    this.#alarms.push(alarm);
    return () => {
      this.#alarms = this.#alarms.filter((other) => other !== alarm);
    };
  }

  /** Lets time pass, doing what was to be done in it at its moment. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (;;) {
      const [next] = this.#alarms.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (!next) break;
      this.#alarms = this.#alarms.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = end;
  }

  /** How many things wait for a moment to come. */
  get waiting(): number {
    return this.#alarms.length;
  }
}
