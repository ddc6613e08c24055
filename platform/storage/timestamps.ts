import type { Clock } from "../clock";

/**
 * Makes timestamps of microsecond precision that strictly increase, so that two objects of one request never share
 * one and paging by a timestamp loses nothing.
 */
export class Timestamps {
  readonly #clock: Clock;
  #lastMicroseconds: number;

  /** @param last The latest timestamp given out so far: the clock may have been set back since. */
  constructor(clock: Clock, last?: string) {
    this.#clock = clock;
    this.#lastMicroseconds = last === undefined ? 0 : microsecondsOf(last);
  }

  /** The next timestamp: that of the given moment, or the smallest one after all others. */
  next(milliseconds = this.#clock.now()): string {
    this.#lastMicroseconds = Math.max(Math.floor(milliseconds * 1000), this.#lastMicroseconds + 1);
    return format(this.#lastMicroseconds);
  }
}

/** A point in time to the second, as the platform writes times that a client has set. */
export function wholeSeconds(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

function format(microseconds: number): string {
  const milliseconds = Math.floor(microseconds / 1000);
  const rest = String(microseconds % 1000).padStart(3, "0");
  return `${new Date(milliseconds).toISOString().slice(0, -1)}${rest}Z`;
}

function microsecondsOf(timestamp: string): number {
  const fraction = /\.\d{3}(\d{3})Z$/.exec(timestamp)?.[1] ?? "0";
  return Date.parse(timestamp) * 1000 + Number(fraction);
}
