/** Why an output can be absent. */
export interface Absence {
  /** One or two sentences: the reason, and what to use instead. */
  readonly reason: string;
  /** Outputs without which this one is absent too. The reason is theirs if they are absent. */
  readonly needs?: readonly string[];
}
