import { type Clock, reasonOf } from "../clock";

/** At most so many requests within any stretch of so many milliseconds. */
interface Limit {
  readonly requests: number;
  readonly within: number;
}

/**
 * The vendor's documented limits are 700 requests a minute for an account and 40 a second for a route. We stay a little
 * below, because a request does not arrive when it is sent.
 */
const perAccount: Limit = { requests: 680, within: 60_500 };
const perRoute: Limit = { requests: 36, within: 1_050 };

/** How this process makes room for others that use the same account, once the platform has refused a request. */
const yielding = {
  /** Between two requests after the first refusal: what the account can bear in the long run. */
  gap: perAccount.within / perAccount.requests,
  /** Each further refusal doubles it, up to this. */
  longest: 2_000,
  /** In this time it falls to the half. */
  recovery: 10_000,
} as const;

/**
 * The share of the platform's rate limit that this process has for one account: requests beyond it wait here, in the
 * order they came, instead of being refused there.
 */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #sent = new Map<string, number[]>();
  /** When the platform asked everyone to hold back, and until when. */
  #held = { since: 0, until: 0 };
  /** How long it has done so altogether, without the last time. */
  #heldBefore = 0;
  /** Between two requests, from the end of the last hold on. */
  #gap = 0;
  #turn: Promise<void> = Promise.resolve();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Resolves when a request to this route may be sent, and counts it. Rejects with the signal's reason once that has
   * fired: then nothing is to be sent.
   *
   * The deadline counts against what the platform asks for only: waiting for one's own turn is nobody's fault.
   *
   * @param queued told how much of the time, in milliseconds, was such waiting
   * @returns for how long the platform wants nothing sent, in milliseconds, if that is beyond the deadline: then nothing
   * is to be sent either
   */
  async acquire(
    route: string,
    deadline: number,
    signal?: AbortSignal,
    queued?: (milliseconds: number) => void,
  ): Promise<number | undefined> {
    if (this.#isHeldBeyond(deadline)) return this.#held.until - this.#clock.now();
    const began = { at: this.#clock.now(), held: this.#heldSoFar() };
    const before = this.#turn;
    let done = (): void => undefined;
    this.#turn = new Promise((resolve) => (done = resolve));
    try {
      await unlessAborted(before, signal);
      for (let wait = this.#wait(route); wait > 0; wait = this.#wait(route)) {
        const late = deadline + this.#queuedSince(began);
        if (this.#isHeldBeyond(late)) return this.#held.until - this.#clock.now();
        await this.#clock.sleep(wait, signal);
      }
      if (signal?.aborted === true) throw reasonOf(signal);
      const now = this.#clock.now();
      this.#log("").push(now);
      this.#log(route).push(now);
      return undefined;
    } finally {
      queued?.(this.#queuedSince(began));
      // Whoever gives up while waiting does not let those behind overtake those before.
      void before.then(done);
    }
  }

  /**
   * The platform has refused a request that was sent then, because too many were: nobody sends anything for as long as
   * it asks, and afterwards this process is slower for a while. Others use the same account, and each of them asking at
   * once for all that it wants would be refused most of the time.
   */
  refused(sentAt: number, retryAfter = 0): void {
    const now = this.#clock.now();
    // What is refused along with it had been sent before anybody knew.
    if (sentAt >= this.#held.until) {
      this.#gap = Math.min(Math.max(yielding.gap, 2 * this.#gapAt(sentAt)), yielding.longest);
    }
    const until = now + Math.max(retryAfter, this.#gap);
    if (now >= this.#held.until) {
      this.#heldBefore = this.#heldSoFar();
      this.#held = { since: now, until };
    } else {
      this.#held.until = Math.max(this.#held.until, until);
    }
  }

  #isHeldBeyond(deadline: number): boolean {
    return this.#held.until > Math.max(deadline, this.#clock.now());
  }

  #heldSoFar(): number {
    return this.#heldBefore + Math.min(this.#clock.now(), this.#held.until) - this.#held.since;
  }

  #queuedSince({ at, held }: { readonly at: number; readonly held: number }): number {
    return this.#clock.now() - at - (this.#heldSoFar() - held);
  }

  /** What has to be between two requests now. */
  #gapAt(time: number): number {
    const gap = this.#gap * 2 ** -(Math.max(0, time - this.#held.until) / yielding.recovery);
    return gap < 1 ? 0 : gap;
  }

  #wait(route: string): number {
    const now = this.#clock.now();
    return Math.max(
      this.#held.until - now,
      (this.#log("").at(-1) ?? -Infinity) + this.#gapAt(now) - now,
      this.#over("", perAccount, now),
      this.#over(route, perRoute, now),
    );
  }

  /** How long until the oldest of the last `requests` falls out of the stretch; 0 or less when there is room. */
  #over(key: string, { requests, within }: Limit, now: number): number {
    const log = this.#log(key);
    const old = log.findIndex((time) => time > now - within);
    log.splice(0, old === -1 ? log.length : old);
    const oldest = log[log.length - requests];
    return oldest === undefined ? 0 : oldest + within - now;
  }

  #log(key: string): number[] {
    let log = this.#sent.get(key);
    if (log === undefined) this.#sent.set(key, (log = []));
    return log;
  }
}

function unlessAborted(turn: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return turn;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(reasonOf(signal));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    void turn.then(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    });
  });
}
