import { reasonOf, type Clock } from "./clock";

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

/**
 * The share of the platform's rate limit that this process has for one account: requests beyond it wait here, in the
 * order they came, instead of being refused there.
 */
export class RateBudget {
  readonly #clock: Clock;
  readonly #sent = new Map<string, number[]>();
  /** Until when the platform asked everyone to hold back. */
  #heldUntil = 0;
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
   * @returns for how long the platform wants nothing sent, in milliseconds, if that is beyond the deadline: then nothing
   * is to be sent either
   */
  async take(route: string, deadline: number, signal?: AbortSignal): Promise<number | undefined> {
    if (this.#heldBeyond(deadline)) return this.#heldUntil - this.#clock.now();
    const before = this.#turn;
    let done = (): void => undefined;
    this.#turn = new Promise((resolve) => (done = resolve));
    try {
      await unlessAborted(before, signal);
      for (let wait = this.#wait(route); wait > 0; wait = this.#wait(route)) {
        if (this.#heldBeyond(deadline)) return this.#heldUntil - this.#clock.now();
        await this.#clock.sleep(wait, signal);
      }
      if (signal?.aborted === true) throw reasonOf(signal);
      const now = this.#clock.now();
      this.#log("").push(now);
      this.#log(route).push(now);
      return undefined;
    } finally {
      // Whoever gives up while waiting does not let those behind overtake those before.
      void before.then(done);
    }
  }

  /** Nobody sends anything for so many milliseconds: the platform has asked for it. */
  hold(milliseconds: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#clock.now() + milliseconds);
  }

  #heldBeyond(deadline: number): boolean {
    return this.#heldUntil > Math.max(deadline, this.#clock.now());
  }

  #wait(route: string): number {
    const now = this.#clock.now();
    return Math.max(this.#heldUntil - now, this.#over("", perAccount, now), this.#over(route, perRoute, now));
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
