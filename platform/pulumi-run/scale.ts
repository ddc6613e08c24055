/** Steps between two marks of an axis, in milliseconds. */
const steps = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  1_800_000, 3_600_000,
];

/** Round marks for an axis, as milliseconds from the beginning. */
export function tickMarks(fromMs: number, toMs: number, most: number): number[] {
  const step = steps.find((one) => (toMs - fromMs) / one <= most) ?? steps.at(-1) ?? 1;
  const first = Math.ceil(fromMs / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((toMs - first) / step) + 1) }, (_, index) => first + index * step);
}

/** A duration for people: `340 ms`, `4.2 s`, `1 min 5 s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(1).replace(/\.0$/, "")} s`;
  const seconds = Math.round(milliseconds / 1_000);
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
