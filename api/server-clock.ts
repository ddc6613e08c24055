import type { Clock } from "./core/clock";

/** Maximum error of the platform's times, in milliseconds: they are exact to the second only. */
export const resolution = 2_000;

/** Maximum difference between timestamps and the `Date` header before any object has shown it, in milliseconds. */
const unknownSkew = 13_000;

/**
 * The platform's time, learned from the `Date` headers of its responses: exact to the second.
 *
 * Timestamps of objects may come from another machine than responses do. The skew of its clock is learned from objects
 * that this process creates.
 */
export class ServerClock {
  readonly #clock: Clock;
  /** Minimum and maximum by which timestamps are ahead of the `Date` header, in milliseconds. */
  #skew = { least: -unknownSkew, most: unknownSkew };
  #isSkewKnown = false;
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

  /** Learns from the timestamp of an object that was created between this time and now. */
  learnTimestamp(timestamp: number | undefined, sentAt: Date): void {
    if (timestamp === undefined || !this.isSynchronized) return;
    const seen = { least: timestamp - this.now().getTime(), most: timestamp - sentAt.getTime() };
    const both = { least: Math.max(seen.least, this.#skew.least), most: Math.min(seen.most, this.#skew.most) };
    // A range that contradicts earlier objects means that a clock was changed.
    this.#skew = this.#isSkewKnown && both.least <= both.most + resolution ? both : seen;
    this.#isSkewKnown = true;
  }

  /** The earliest possible timestamp of an object that appeared at this time or later. */
  earliestTimestamp(since: Date): number {
    return since.getTime() + this.#skew.least - resolution;
  }

  /** The latest possible timestamp of an object that appeared at this time or earlier. */
  latestTimestamp(until: Date): number {
    return until.getTime() + this.#skew.most + resolution;
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
