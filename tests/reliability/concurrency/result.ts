/** What has come of one scenario. */
export interface Result {
  /** What was done how often. */
  readonly counts: Readonly<Record<string, number>>;
  /** What went wrong. */
  readonly failures: readonly string[];
}
