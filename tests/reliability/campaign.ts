/** A part of the long run. */
export interface Campaign {
  /** As it stands in `--only` and in the document. */
  readonly name: string;
  /** What it proves, as the heading of its section. */
  readonly title: string;
  /** Its part of the time, in relation to the others. */
  readonly share: number;
  /** Runs until everything is done or the time is over. */
  readonly carryOut: (run: Run) => Promise<Findings>;
}

/** What a campaign runs with. */
export interface Run {
  /** Repeats the run: everything random is drawn from {@link draw}, which it determines. */
  readonly seed: number;
  readonly draw: () => number;
  /** When to begin nothing more, as `performance.now()` tells time. */
  readonly deadline: number;
  /** Shows how far it is, and each failure as soon as it is known, with what repeats it. */
  readonly say: (line: string) => void;
}

/** What has come of a campaign. */
export interface Findings {
  /** What was done how often, in the order to be shown, such as `{ cases: 3025, disagreements: 0 }`. */
  readonly counts: Readonly<Record<string, number>>;
  /** What went wrong, each with what repeats it; empty when all is well. */
  readonly failures: readonly string[];
  /** What the document shows below the counts, in Markdown; may be empty. */
  readonly details: string;
}

/** A campaign that was carried out. */
export interface Carried {
  readonly campaign: Pick<Campaign, "name" | "title">;
  readonly findings: Findings;
  readonly seconds: number;
}
