/** Why an output can be absent. */
export interface Absence {
  /** One or two sentences: the reason, and what to use instead. */
  readonly reason: string;
  /** Another reason, where another output has this value. */
  readonly unless?: { readonly output: string; readonly value: unknown; readonly reason: string };
  /** Outputs without which this one is absent too. The reason is theirs if they are absent. */
  readonly needs?: readonly string[];
}
