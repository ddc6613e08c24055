import parseDuration from "parse-duration";

/** How long an operation of some action takes, in milliseconds; drawn anew for every operation. */
export type OperationTime = (action: string) => number;

interface Range {
  readonly from: number;
  readonly to: number;
}

const anyAction = "";

/**
 * Reads operation times: one duration (`200ms`), a range drawn log-uniformly (`200ms-5s`), or a list of either in
 * which actions have their own (`500ms,start_compute=2s,create_branch=1s-3s`).
 *
 * @throws RangeError naming the part that cannot be read.
 */
export function operationTime(specification: string, draw: () => number, fallback = 1000): OperationTime {
  const ranges = new Map<string, Range>();
  for (const part of specification.split(",")) {
    const [range = "", action] = part.split("=", 2).reverse();
    if (action?.trim() === "") throw new RangeError(`"${part}" names no action before its "="`);
    ranges.set(action?.trim() ?? anyAction, rangeOf(range, part));
  }
  return (action) => {
    const { from, to } = ranges.get(action) ?? ranges.get(anyAction) ?? { from: fallback, to: fallback };
    return from === to ? from : from * (to / from) ** draw();
  };
}

/** Reads one duration such as `200ms` or `1m30s` as milliseconds. */
export function duration(text: string): number {
  const milliseconds = /^[\d.]+\s*[a-z]+|^0$/i.test(text.trim()) ? parseDuration(text) : null;
  if (milliseconds === null || milliseconds < 0) {
    throw new RangeError(`"${text}" is not a duration; write one such as 200ms, 5s or 1m30s`);
  }
  return milliseconds;
}

function rangeOf(text: string, part: string): Range {
  const bounds = text.split("-");
  const [from, to = from] = bounds.map(duration);
  if (bounds.length > 2 || from === undefined || to === undefined || from > to) {
    throw new RangeError(`"${part}" is not a range of durations; write one such as 200ms-5s, the shorter one first`);
  }
  if (from === 0 && to > 0) {
    throw new RangeError(`"${part}" starts at zero, from where nothing can be drawn log-uniformly; start at 1ms`);
  }
  return { from, to };
}
