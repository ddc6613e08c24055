import { reasonOf, type Clock } from "../../api/clock";
import type { ManualPlatformClock } from "../support/platform-clock";

/** Time limits from here on are never reached: a clock that leaps would reach every one of them at once. */
export const endless = 86_400_000;

/**
 * A client's time that is the platform's: nobody sleeps, but time leaps to where the sleeper wanted to wake up, and the
 * platform does what was due by then. So everything takes as long as it takes in reality, at no cost.
 */
export class LeapingClock implements Clock {
  readonly #time: ManualPlatformClock;
  /** How long each sleep was, in milliseconds. */
  readonly sleeps: number[] = [];

  constructor(time: ManualPlatformClock) {
    this.#time = time;
  }

  now(): number {
    return this.#time.now();
  }

  date(): Date {
    return new Date(this.#time.now());
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) throw reasonOf(signal);
    if (milliseconds >= endless) {
      await new Promise((_, reject) =>
        signal?.addEventListener("abort", () => reject(reasonOf(signal)), { once: true }),
      );
    }
    this.sleeps.push(milliseconds);
    this.#time.advance(milliseconds);
    // Others may act before the sleeper goes on, as they could in reality.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
