/** An object as found or made: its id in state and what is known of it. */
export interface Found<Outputs> {
  readonly id: string;
  readonly outputs: Outputs;
}
