/** A part of the long run. */
export interface Campaign {
  /** Its name in `--only` and in the document. */
  readonly name: string;
  /** What it proves: the heading of its section. */
  readonly title: string;
  /** Its share of the time, relative to the others. */
  readonly share: number;
  /** Runs until everything is done or the time is over. */
  readonly carryOut: (run: Run) => Promise<Findings>;
}

/** The options of a campaign. */
export interface Run {
  /** Repeats the run: it determines {@link draw}, from which everything random is drawn. */
  readonly seed: number;
  readonly draw: () => number;
  /** When to start nothing more, on the clock of `performance.now()`. */
  readonly deadline: number;
  /** The numbers of the rounds to run, in a campaign of numbered rounds. Default: all until the deadline. */
  readonly only?: readonly number[] | undefined;
  /** Shows the progress, and each failure at once with the command that repeats it. */
  readonly say: (line: string) => void;
}

/** The results of a campaign. */
export interface Findings {
  /** What was done how often, in display order, such as `{ cases: 3025, disagreements: 0 }`. */
  readonly counts: Readonly<Record<string, number>>;
  /** What went wrong, each with the command that repeats it. */
  readonly failures: readonly string[];
  /** Markdown that the document shows below the counts; may be empty. */
  readonly details: string;
}

/** A campaign that has run. */
export interface Carried {
  readonly campaign: Pick<Campaign, "name" | "title">;
  readonly findings: Findings;
  readonly seconds: number;
}
