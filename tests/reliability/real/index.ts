import type { Campaign, Findings } from "../campaign";
import { type Case, nameOf } from "../case";
import { casesOf, cleanRuns, isSlow, type Part } from "../cases";
import { onLanes } from "../lanes";
import { sampleOf } from "../seeded-random";
import { commandFor, compared, type Comparison } from "./comparison";

/** How many cases the long run draws. */
const sampleSize = 100;
/** Enough for the ten commands of a case on a busy machine, in milliseconds; one that hangs is killed before. */
const patience = 600_000;

/** Which cases are run, and how. */
export interface Choice extends Part {
  readonly lanes: number;
  /** How many at once record what the verbs do. */
  readonly recordingLanes: number;
  readonly draw: () => number;
  readonly sample: number;
  /** Whether those are among them that take long in real time. */
  readonly slow: boolean;
  /** Which of them are meant; default: all. */
  readonly suits?: (one: Case) => boolean;
  readonly deadline: number;
  readonly say: (line: string) => void;
}

export const realSample: Campaign = {
  name: "real",
  title: "The real CLI comes to the same as the model of it",
  share: 5,
  carryOut: async (run): Promise<Findings> => {
    const comparisons = await drawn({ ...run, lanes: 4, recordingLanes: 4, sample: sampleSize, slow: false });
    const { failed: _, ...counts } = countsOf(comparisons);
    return {
      counts,
      failures: comparisons.filter(isFailed).map(({ case: one }) => commandFor(one)),
      details: table(comparisons),
    };
  },
};

/** Draws cases of the fault matrix and runs each of them with the model and with the CLI. */
export async function drawn({ lanes, recordingLanes, draw, sample, slow, suits, deadline, say, ...part }: Choice) {
  const cleans = await cleanRuns(recordingLanes, part);
  const all = casesOf(cleans, part).filter((one) => (slow || !isSlow(one)) && (suits?.(one) ?? true));
  return onLanes({
    lanes,
    items: sampleOf(all, sample, draw),
    patience,
    work: async (lane, one) => {
      const comparison = await compared(lane, one).catch((error: unknown) => failed(one, String(error)));
      return shown(comparison, say);
    },
    late: (one) => shown(failed(one, "it hangs"), say),
    deadline,
  });
}

export function isFailed({ differences, wrong }: Comparison): boolean {
  return differences.length + wrong.length > 0;
}

export function countsOf(comparisons: readonly Comparison[]): Record<string, number> {
  return {
    cases: comparisons.length,
    "steps compared": comparisons.reduce((sum, { steps }) => sum + steps, 0),
    agreed: comparisons.filter(({ differences }) => differences.length === 0).length,
    failed: comparisons.filter(isFailed).length,
  };
}

function failed(one: Case, why: string): Comparison {
  return { case: one, steps: 0, differences: [why], wrong: [] };
}

/** Says at once what has come of a case, with what runs it again if it is not well. */
function shown(comparison: Comparison, say: (line: string) => void): Comparison {
  const { case: one, steps, differences, wrong } = comparison;
  if (isFailed(comparison)) {
    say(`✘ ${commandFor(one)}`);
    for (const line of [...differences, ...wrong]) say(`    ${line}`);
  } else {
    say(`✔ ${nameOf(one)} (${steps} steps)`);
  }
  return comparison;
}

function table(comparisons: readonly Comparison[]): string {
  const kinds = [...new Set(comparisons.map(({ case: one }) => one.clean.sample.kind))].sort();
  const rows = kinds.map((kind) => {
    const counts = countsOf(comparisons.filter((one) => one.case.clean.sample.kind === kind));
    return [kind, ...Object.values(counts)];
  });
  const heads = ["kind", ...Object.keys(countsOf([]))];
  return [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
