export interface Figure {
  readonly title: string;
  readonly value: number;
  readonly unit: Unit;
  /** The most that the value may be. Without a target, the value is only stated. */
  readonly atMost?: number;
}

/** `×` is a ratio against a floor or a peer of the same run; a count has no unit. */
export type Unit = "×" | "ms" | "MB" | "bytes" | "";

/** What a row compares with each other, one line for each. */
export interface Comparison {
  readonly heads: readonly string[];
  readonly lines: readonly (readonly (string | number)[])[];
}

export interface Measured {
  readonly figures: readonly Figure[];
  readonly comparison?: Comparison;
}

export interface Run {
  readonly seed: number;
  /** Whether to take small samples, which prove that the row runs and say nothing about time. */
  readonly quick: boolean;
  readonly size: (full: number, quick: number) => number;
  readonly say: (line: string) => void;
}

/** A section of docs/internals/benchmarks.md, which says what the row compares, and how. */
export interface Row {
  /** For `--only`, and in the marker of its section. */
  readonly name: string;
  readonly measure: (run: Run) => Promise<Measured>;
}
