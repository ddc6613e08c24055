import { milliseconds } from "../../../api/core/duration";
import type { Topic } from "../../storage/change-feed";

/** Published when the operation times have changed. */
export const operationTimeTopic: Topic = { name: "operation_time" };

/** Returns how long the next operation with an action takes, in milliseconds. */
export type OperationTime = (action: string) => number;

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The times that operations take. They can be changed while the platform runs; operations that are planned keep their times. */
export class OperationTimes {
  readonly #random: () => number;
  #specification: string;
  #times: OperationTime;

  /** @throws RangeError that quotes the invalid part of the specification */
  constructor(specification: string, random: () => number) {
    this.#random = random;
    this.#specification = specification;
    this.#times = operationTime(specification, random);
  }

  /** The specification as it was given. */
  get specification(): string {
    return this.#specification;
  }

  /** @throws RangeError that quotes the invalid part; the times stay as they are */
  change(specification: string): void {
    this.#times = operationTime(specification, this.#random);
    this.#specification = specification;
  }

  /** How long the next operation with an action takes, in milliseconds. */
  of(action: string): number {
    return this.#times(action);
  }
}

/**
 * Parses operation times: a duration (`200ms`), a range that is drawn from log-uniformly (`200ms-5s`), or a list of both
 * with times for single actions (`500ms,start_compute=2s,create_branch=1s-3s`).
 *
 * @throws RangeError that quotes the invalid part.
 */
export function operationTime(specification: string, random: () => number): OperationTime {
  let usual: Range = { from: 1000, to: 1000 };
  const ranges = new Map<string, Range>();
  for (const part of specification.split(",")) {
    const [text = "", action] = part.split("=", 2).reverse();
    if (action?.trim() === "") throw new RangeError(`"${part}" has no action before the "="`);
    const range = parseRange(text, part);
    if (action === undefined) usual = range;
    else ranges.set(action.trim(), range);
  }
  return (action) => {
    const { from, to } = ranges.get(action) ?? usual;
    return from === to ? from : from * (to / from) ** random();
  };
}

/** Parses a duration such as `200ms` or `1m30s` to milliseconds. */
export function duration(text: string): number {
  const parsed = /^0(ms|s|m|h)?$/.test(text.trim()) ? 0 : milliseconds(text.trim());
  if (parsed === undefined) throw new RangeError(`"${text}" is not a duration; use one such as 200ms, 5s or 1m30s`);
  return parsed;
}

function parseRange(text: string, part: string): Range {
  const bounds = text.split("-");
  const [from, to = from] = bounds.map(duration);
  if (bounds.length > 2 || from === undefined || to === undefined || from > to) {
    throw new RangeError(
      `"${part}" is not a range of durations; use one such as 200ms-5s, with the shorter duration first`,
    );
  }
  if (from === 0 && to > 0) {
    throw new RangeError(`"${part}" starts at zero, but a log-uniform range must start above it, for example at 1ms`);
  }
  return { from, to };
}
