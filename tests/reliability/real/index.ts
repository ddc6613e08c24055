import { table } from "../../support/markdown";
import { titleOf } from "../../support/sample";
import { type Campaign, type Ran, runCases } from "../campaign";
import { type Case, nameOf } from "../case";
import { casesOf, type Choice, cleanRuns } from "../cases";
import { lanes } from "../lanes";
import { sampleOf, seededRandom } from "../../support/seeded-random";
import { compared, type Comparison } from "./comparison";

/** A sample of the fault matrix with the real CLI. Each case is compared with the model of the engine. */
export const realSample: Campaign = {
  name: "real",
  title: "The real CLI agrees with the model of the engine",
  share: 5,
  carryOut: async (run) => {
    const slow = run.only !== undefined;
    const { ran, failures } = await runSample({ ...run, workers: 4, sample: 100, slow });
    const { failed: _, ...counts } = countsOf(ran);
    return { counts, failures, details: tableOf(ran) };
  },
};

/** Draws cases of the fault matrix and runs each of them with the model and with the CLI. */
export async function runSample(choice: Choice & { readonly sample: number }) {
  // The CLI's processes pass no gateway.
  const all = casesOf(await cleanRuns(choice), choice).filter(({ fault }) => fault.dateAhead === undefined);
  return runCases(choice, {
    ...lanes,
    campaign: "real",
    cases: sampleOf(all, choice.sample, seededRandom(choice.seed)),
    nameOf,
    workers: choice.workers,
    // Enough for the ten commands of a case on a busy machine. A command that hangs is killed earlier.
    patience: 600_000,
    every: 1,
    work: compared,
  });
}

function countsOf(ran: readonly Ran<Case, Comparison>[]) {
  return {
    cases: ran.length,
    "steps compared": ran.reduce((sum, { result }) => sum + (result?.steps ?? 0), 0),
    agreed: ran.filter(({ result }) => result?.differences.length === 0).length,
    failed: ran.filter(({ problems }) => problems.length > 0).length,
  };
}

function tableOf(ran: readonly Ran<Case, Comparison>[]): string {
  const kinds = [...new Set(ran.map(({ case: one }) => titleOf(one.clean.sample)))].sort();
  const rows = kinds.map((kind) => [
    kind,
    ...Object.values(countsOf(ran.filter(({ case: one }) => titleOf(one.clean.sample) === kind))),
  ]);
  return table(["kind", ...Object.keys(countsOf([]))], rows);
}
