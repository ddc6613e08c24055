/** Why an output can be absent. */
export interface Absence {
  /** One or two sentences: the reason, and what to use instead. */
  readonly reason: string;
  /** The reason that applies instead while another output has this value. */
  readonly unless?: { readonly output: string; readonly value: unknown; readonly reason: string };
  /** Outputs that this one depends on. If one of them is absent, this one is absent for the same reason. */
  readonly needs?: readonly string[];
}
