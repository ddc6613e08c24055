import { reasonOf, type Clock } from "../../api/core/clock";

interface Sleeper {
  readonly at: number;
  readonly milliseconds: number;
  readonly wake: () => void;
}

/**
 * The shortest sleep that never ends: `run` does not wake it. As the timeout of an HTTP attempt, it lets a real socket take
 * its time, while all other time is manual. In milliseconds.
 */
export const endless = 1_000_000_000;

/** The limit of wake-ups in one `run`. No test needs more, so more are an endless loop. */
const mostWakings = 200_000;
/**
 * The longest time, in real milliseconds, for which `run` waits for I/O if nobody sleeps: long enough for a socket on a
 * busy machine.
 */
const patience = 120_000;

/** A clock of a client that only a test advances. */
export class ManualClock implements Clock {
  readonly #start: number;
  #now = 0;
  #sleepers: Sleeper[] = [];

  /** @param start the initial date and time */
  constructor(start: string | number = "2030-01-01T00:00:00Z") {
    this.#start = new Date(start).getTime();
  }

  now(): number {
    return this.#now;
  }

  date(): Date {
    return new Date(this.#start + this.#now);
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(reasonOf(signal));
        return;
      }
      const stop = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        if (signal) reject(reasonOf(signal));
      };
      const wake = (): void => {
        signal?.removeEventListener("abort", stop);
        resolve();
      };
      const sleeper: Sleeper = { at: this.#now + Math.max(0, milliseconds), milliseconds, wake };
      this.#sleepers.push(sleeper);
      signal?.addEventListener("abort", stop, { once: true });
    });
  }

  /** The number of callers that sleep at present. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  /** Advances the time, and wakes each sleeper at its time, one after the other. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settled();
    for (let next = this.#next(); next !== undefined && next.at <= end; next = this.#next()) await this.#wake(next);
    this.#now = end;
  }

  /**
   * Advances the time until a promise settles, and returns its value. Fails if the promise does not settle
   * although only endless sleeps are left.
   */
  async run<Value>(promise: Promise<Value>): Promise<Value> {
    const state = { settled: false };
    const settle = (): void => {
      state.settled = true;
    };
    promise.then(settle, settle);
    await settled();
    let alone = 0;
    for (let wakings = 0; !state.settled;) {
      const next = this.#next();
      if (next !== undefined && next.milliseconds < endless) {
        wakings += 1;
        if (wakings > mostWakings) throw new Error(`the promise has not settled after ${mostWakings} wakings`);
        alone = 0;
        await this.#wake(next);
        continue;
      }
      // Nobody sleeps, so either a socket is busy, or nothing will happen.
      alone ||= performance.now();
      if (performance.now() - alone > patience) throw new Error("the promise does not settle, and nobody sleeps");
      await settled();
    }
    return await promise;
  }

  #next(): Sleeper | undefined {
    return this.#sleepers.reduce<Sleeper | undefined>(
      (first, sleeper) => (first === undefined || sleeper.at < first.at ? sleeper : first),
      undefined,
    );
  }

  async #wake(sleeper: Sleeper): Promise<void> {
    this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
    this.#now = Math.max(this.#now, sleeper.at);
    sleeper.wake();
    await settled();
  }
}

/** Resolves when everything has happened that can happen at the present time. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
