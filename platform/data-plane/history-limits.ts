/** When the history of a branch is shortened. */
export interface HistoryLimits {
  /** How much log there is behind a base before another one is copied. Never less than the copy takes. */
  readonly logBytes: number;
  /** How many times the size of the data is the least amount of log. */
  readonly dataShare: number;
  /** How much superfluous log there is before it is removed. */
  readonly pruneBytes: number;
  /** How often it is looked after. */
  readonly intervalMs: number;
  /** How much longer than the retention a base is kept: requests may still be on their way. */
  readonly graceMs: number;
}

const mebibyte = 2 ** 20;
const usual: HistoryLimits = {
  logBytes: 64 * mebibyte,
  dataShare: 1,
  pruneBytes: 16 * mebibyte,
  intervalMs: 60_000,
  graceMs: 60_000,
};

/** The environment variable with which tests set other limits, as JSON. */
export const historyLimitsVariable = "NEON_PLATFORM_HISTORY_LIMITS";

export function historyLimits(): HistoryLimits {
  const text = process.env[historyLimitsVariable] ?? "{}";
  return { ...usual, ...(JSON.parse(text) as Partial<HistoryLimits>) };
}
