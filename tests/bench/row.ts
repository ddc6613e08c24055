export interface Figure {
  readonly title: string;
  readonly value: number;
  readonly unit: Unit;
  /** The most that the value may be; without one, the value is only stated. */
  readonly atMost?: number;
}

/** `×` is a ratio against a floor or a peer of the same run; a count has no unit. */
export type Unit = "×" | "%" | "ms" | "MB" | "bytes" | "requests/s" | "";

/** What a row compares with each other, one line for each. */
export interface Comparison {
  readonly heads: readonly string[];
  readonly lines: readonly (readonly (string | number)[])[];
}

export interface Measured {
  readonly figures: readonly Figure[];
  readonly comparison?: Comparison;
  /** What follows from the figures, calculated: a paragraph. */
  readonly remark?: string;
}

export interface Run {
  readonly seed: number;
  /** Whether to take small samples, which prove that the row runs and say nothing about time. */
  readonly quick: boolean;
  readonly size: (full: number, quick: number) => number;
  readonly say: (line: string) => void;
  /** Makes what several rows need once, and ends it after the last row. */
  readonly shared: <Made>(name: string, make: () => Promise<Shared<Made>>) => Promise<Made>;
}

export interface Shared<Made> {
  readonly made: Made;
  readonly end: () => Promise<void>;
}

export interface Row {
  /** For `--only`. */
  readonly name: string;
  readonly title: string;
  /** What the row compares, and how: a paragraph. */
  readonly compares: string;
  /** Whether the figures depend on what else the machine does. Counts do not. */
  readonly measuresTime: boolean;
  readonly measure: (run: Run) => Promise<Measured>;
}
