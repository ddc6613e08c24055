import type { Clock } from "./clock";

/** The platform's time, learned from the `Date` headers of its responses: exact to the second. */
export class ServerClock {
  readonly #clock: Clock;
  /** How far the platform's time is ahead of the local clock, in milliseconds. */
  #offset: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether a response has told the platform's time yet. */
  get isSynchronized(): boolean {
    return this.#offset !== undefined;
  }

  /** Learns the time from a response's `Date` header. Ignores a missing or malformed one. */
  synchronize(dateHeader: string | undefined): void {
    const time = Date.parse(dateHeader ?? "");
    if (Number.isFinite(time)) this.#offset = time - this.#clock.now();
  }

  /**
   * The platform's time.
   *
   * Before the first response this is the machine's calendar time. Afterwards the calendar is not read: it may jump.
   *
   * @param at another time, in milliseconds on the local clock. Default: now.
   */
  now(at: number = this.#clock.now()): Date {
    return new Date(at + (this.#offset ?? this.#clock.date().getTime() - this.#clock.now()));
  }

  /**
   * Captures the current time to read later. If the clock is not synchronized yet, the result becomes exact with the next
   * response.
   */
  capture(): () => Date {
    const at = this.#clock.now();
    const known = this.isSynchronized ? this.now(at) : undefined;
    return () => known ?? this.now(at);
  }
}
