import type { Clock } from "../clock";

/**
 * Creates strictly increasing timestamps with microsecond precision. Two objects never have the same one, so that
 * pagination by timestamp skips nothing.
 */
export class Timestamps {
  readonly #clock: Clock;
  #lastMicroseconds: number;

  /** @param last the latest timestamp so far, because the clock may have been set back since then */
  constructor(clock: Clock, last?: string) {
    this.#clock = clock;
    this.#lastMicroseconds = last === undefined ? 0 : microsecondsOf(last);
  }

  /** The timestamps of a new object. */
  created(): { readonly created_at: string; readonly updated_at: string } {
    const timestamp = this.next();
    return { created_at: timestamp, updated_at: timestamp };
  }

  /** The timestamp of a time. If that is not later than the latest timestamp, the next possible one. */
  next(milliseconds = this.#clock.now()): string {
    this.#lastMicroseconds = Math.max(Math.floor(milliseconds * 1000), this.#lastMicroseconds + 1);
    return format(this.#lastMicroseconds);
  }
}

/** A time in whole seconds: the format of times that clients set. */
export function wholeSeconds(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/** Matches the names of members with timestamps of {@link Timestamps}. */
const timestampName = /(_at|_until|^last_active)$/;

/** An object with its timestamps in whole seconds, as the API returns them everywhere but in operations. */
export function inWholeSeconds<Row extends object>(row: Row): Row {
  const members = Object.entries(row).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === "string" && timestampName.test(name) ? wholeSeconds(Date.parse(value)) : value,
  ]);
  return Object.fromEntries(members) as Row;
}

/** Picks members of a row for an answer. Timestamps are in whole seconds. */
export function pick<Row extends object, const Name extends keyof Row & string>(
  row: Row,
  names: readonly Name[],
): Pick<Row, Name> {
  const picked: readonly string[] = names;
  const members = Object.entries(row).filter(([name]) => picked.includes(name));
  return inWholeSeconds(Object.fromEntries(members) as Pick<Row, Name>);
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
