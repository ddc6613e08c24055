import { type Clock, reasonOf, unlessAborted } from "../core/clock";
import type { Deadline } from "../core/deadline";

/** At most this many requests within any window of this many milliseconds. */
interface Limit {
  readonly requests: number;
  readonly window: number;
}

/**
 * Neon documents 700 requests a minute for an account and 40 a second for a route. These limits are slightly lower,
 * because the time at which a request arrives differs from the time at which it was sent.
 */
const perAccount: Limit = { requests: 680, window: 60_500 };
const perRoute: Limit = { requests: 36, window: 1_050 };

/** How this process slows down after a 429, to leave room for other clients of the same account. In milliseconds. */
const throttling = {
  /** Minimum gap between two requests after the first 429: the account's sustained rate. */
  gap: perAccount.window / perAccount.requests,
  /** Each further 429 doubles the gap, up to this. */
  maxGap: 2_000,
  /** The gap halves in this time. */
  halfLife: 10_000,
} as const;

/** The key of the account-wide log of requests. No route is empty. */
const account = "";

/**
 * Client-side rate limiter of one account. Requests beyond the limit wait in this process, first in, first out, instead of
 * being rejected by the platform.
 */
export class RateLimiter {
  readonly #clock: Clock;
  #isLimited = true;
  /** When requests were sent: by route, and for the whole account. */
  readonly #sent = new Map<string, number[]>();
  #lastSent = -Infinity;
  /** The latest period in which the platform has asked this process to send nothing. */
  #hold = { since: 0, until: 0 };
  /** Total duration of all earlier holds. */
  #earlierHolds = 0;
  /** Minimum gap between two requests at the end of the hold. It decays from then on. */
  #gap = 0;
  /** Resolves when the last request in the queue has left it. */
  #queue: Promise<void> = Promise.resolve();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Waits until a request to this route may be sent, and counts the request. Rejects with the signal's reason if the
   * signal fires first.
   *
   * Time in the queue extends the deadline. A hold that the platform has asked for does not.
   *
   * @returns the rest of the hold in milliseconds if the hold ends after the deadline: then do not send the request
   */
  async acquire(route: string, deadline: Deadline, signal?: AbortSignal): Promise<number | undefined> {
    if (this.#isHeldBeyond(deadline.at)) return this.#hold.until - this.#clock.now();
    const began = { at: this.#clock.now(), held: this.#totalHold() };
    const predecessors = this.#queue;
    let leave = (): void => undefined;
    this.#queue = new Promise((resolve) => (leave = resolve));
    try {
      await unlessAborted(predecessors, signal);
      for (let delay = this.#delay(route); delay > 0; delay = this.#delay(route)) {
        if (this.#isHeldBeyond(deadline.at + this.#queuedSince(began))) return this.#hold.until - this.#clock.now();
        await this.#clock.sleep(delay, signal);
      }
      if (signal?.aborted === true) throw reasonOf(signal);
      this.#count(route);
      return undefined;
    } finally {
      deadline.extend(this.#queuedSince(began));
      // After an abort, later requests still wait for the earlier ones.
      void predecessors.then(leave);
    }
  }

  /**
   * Handles a 429: holds all requests for as long as the platform asks, and sends them more slowly for a while afterwards.
   * Other processes use the same account; if all of them resumed at full rate, most requests would meet a 429 again.
   *
   * @param sentAt when the request was sent, on the client's clock
   * @param retryAfter milliseconds
   */
  throttle(sentAt: number, retryAfter = 0): void {
    const now = this.#clock.now();
    // Requests that were in flight when the hold began do not double the gap again.
    if (sentAt >= this.#hold.until) {
      this.#gap = Math.min(Math.max(throttling.gap, 2 * this.#gapAt(sentAt)), throttling.maxGap);
    }
    const until = now + Math.max(retryAfter, this.#gap);
    if (now >= this.#hold.until) {
      this.#earlierHolds = this.#totalHold();
      this.#hold = { since: now, until };
    } else {
      this.#hold.until = Math.max(this.#hold.until, until);
    }
  }

  /** Removes the limits, because the service says that it has none. Requests then wait only after a 429. */
  lift(): void {
    this.#isLimited = false;
  }

  #isHeldBeyond(time: number): boolean {
    return this.#hold.until > Math.max(time, this.#clock.now());
  }

  #totalHold(): number {
    return this.#earlierHolds + Math.min(this.#clock.now(), this.#hold.until) - this.#hold.since;
  }

  /** Time in the queue, without holds. */
  #queuedSince({ at, held }: { readonly at: number; readonly held: number }): number {
    return this.#clock.now() - at - (this.#totalHold() - held);
  }

  #gapAt(time: number): number {
    const gap = this.#gap * 2 ** -(Math.max(0, time - this.#hold.until) / throttling.halfLife);
    return gap < 1 ? 0 : gap;
  }

  /** How long the next request to a route has to wait; 0 or less if it may be sent. */
  #delay(route: string): number {
    const now = this.#clock.now();
    const limits = this.#isLimited
      ? [this.#delayOf(account, perAccount, now), this.#delayOf(route, perRoute, now)]
      : [];
    const gapEnd = this.#lastSent + this.#gapAt(now);
    return Math.max(this.#hold.until - now, gapEnd - now, ...limits);
  }

  /** The time until the limit allows another request; 0 or less if it allows one now. */
  #delayOf(key: string, { requests, window }: Limit, now: number): number {
    const log = this.#log(key);
    const first = log.findIndex((time) => time > now - window);
    log.splice(0, first === -1 ? log.length : first);
    const oldest = log[log.length - requests];
    return oldest === undefined ? 0 : oldest + window - now;
  }

  #count(route: string): void {
    const now = this.#clock.now();
    this.#lastSent = now;
    if (this.#isLimited) for (const key of [account, route]) this.#log(key).push(now);
  }

  #log(key: string): number[] {
    let log = this.#sent.get(key);
    if (log === undefined) this.#sent.set(key, (log = []));
    return log;
  }
}
