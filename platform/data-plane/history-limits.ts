/** The limits at which a platform with Postgres removes history that is older than its project keeps. */
export interface HistoryLimits {
  /** Bytes of log behind a base before another base is copied; default 64 MiB. */
  readonly logBytes: number;
  /** The same limit as a multiple of the size of the data. The larger one counts; default 1. */
  readonly dataShare: number;
  /** Bytes of superfluous log before it is removed; default 16 MiB. */
  readonly pruneBytes: number;
  /** Milliseconds between two checks of the histories; default 60,000. */
  readonly intervalMs: number;
  /** Milliseconds by which a base is kept longer than the retention, because requests may be on their way; default 60,000. */
  readonly graceMs: number;
}

const mebibyte = 2 ** 20;
export const defaultHistoryLimits: HistoryLimits = {
  logBytes: 64 * mebibyte,
  dataShare: 1,
  pruneBytes: 16 * mebibyte,
  intervalMs: 60_000,
  graceMs: 60_000,
};
