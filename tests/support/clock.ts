import { reasonOf, type Clock } from "../../api/core/clock";

interface Sleeper {
  readonly at: number;
  readonly milliseconds: number;
  readonly wake: () => void;
}

/**
 * A sleep of at least so long is one that nobody expects to end: `run` never wakes it. Given to a client as the time-out
 * of an attempt, it lets a real socket take its own time while all other time is made by hand.
 */
export const endless = 1_000_000_000;

/** More wakings than any test needs: more of them are an endless loop. */
const mostWakings = 200_000;
/**
 * How long, in real milliseconds, `run` leaves the event loop to itself when nobody sleeps: long enough for a socket on a
 * busy machine.
 */
const patience = 120_000;

/** A client's time that only moves when a test moves it. */
export class ManualClock implements Clock {
  readonly #start: number;
  #now = 0;
  #sleepers: Sleeper[] = [];

  /** @param start the calendar's time at the beginning */
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

  /** How many sleep at present. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  /** Lets so many milliseconds pass: wakes who wanted to be woken by then, one after the other, each at its moment. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settled();
    for (let next = this.#next(); next !== undefined && next.at <= end; next = this.#next()) await this.#wake(next);
    this.#now = end;
  }

  /**
   * Lets as much time pass as a promise needs, and answers what it answers. Fails when the promise does not settle
   * although nobody sleeps any more, other than endlessly.
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
      // Nobody sleeps, so a socket is at work, or nothing is.
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

/** Resolves when everything that can happen without time passing has happened. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
