import { table } from "../support/markdown";
import { titleOf } from "../support/sample";
import { type Campaign, type Ran, runCases } from "./campaign";
import { type Case, type Clean, nameOf, recoveriesOf, run, type Verdict } from "./case";
import { casesOf, type Choice, cleanRuns, faultsAt } from "./cases";
import { operationFaults, requestFaults } from "./fault";
import { lanes, withFresh } from "./lanes";
import { sampleOf, seededRandom } from "../support/seeded-random";

type RanCase = Ran<Case, Verdict>;

/** The fault matrix: every fault at every request and operation of every verb of every kind, with each recovery. */
export const matrix: Campaign = {
  name: "matrix",
  title: "Every fault at every request and operation",
  share: 8,
  carryOut: async (run) => {
    const { cleans, all, ran, failures } = await runMatrix({ ...run, workers: 32, slow: true });
    const count = (is: (one: RanCase) => boolean): number => ran.filter(is).length;
    return {
      counts: {
        "faults at a moment": all.filter(isLikely).length,
        "of them run": count((one) => isLikely(one.case)),
        "cases with every way to go on": all.length,
        "of those run": ran.length,
        disagreements: count(disagrees),
        "unclear errors": count(isUnclear),
        "not struck": count(({ result }) => result?.struck === false),
      },
      failures,
      details: `${tableOfVerbs(cleans, ran)}\n\n${tableOfFaults(ran)}`,
    };
  },
};

/** Runs cases of the matrix: first, for each moment and fault, the recovery that people choose most likely. */
export async function runMatrix(choice: Choice) {
  const cleans = await cleanRuns(choice);
  const all = casesOf(cleans, choice);
  const mixed = sampleOf(all, choice.sample ?? all.length, seededRandom(choice.seed));
  const results = await runCases(choice, {
    ...lanes,
    campaign: "matrix",
    cases: [...mixed.filter(isLikely), ...mixed.filter((one) => !isLikely(one))],
    nameOf,
    workers: choice.workers,
    // With consent, two reads before the first change are retried for two minutes each.
    patience: 900_000,
    every: 500,
    work: async (lane, one) => {
      // A process asks only once whether its key is valid, and remembers the answer.
      const verdict = one.point.title.startsWith("GET /auth ") ? undefined : await run(lane, lane.stage.server, one);
      // The fault may wait for a request that a process sends only once.
      return verdict?.struck === true ? verdict : withFresh(lane.stage, (first) => run(lane, first, one));
    },
  });
  return { cleans, all, ...results };
}

/** Whether a case has the recovery that most people choose: of creations, half of them with consent. */
function isLikely({ clean, point, fault, recovery }: Case): boolean {
  const [likely, other = likely] = recoveriesOf(clean.verb).filter((one) => one.startsWith("up"));
  if (likely === undefined) return recovery === "destroy";
  const isSecond = (clean.points.indexOf(point) + faultsAt(point).indexOf(fault)) % 2 === 1;
  return recovery === (isSecond ? other : likely);
}

function tableOfVerbs(cleans: readonly Clean[], ran: readonly RanCase[]): string {
  const rows = cleans.map((clean) => {
    const own = ran.filter(({ case: one }) => one.clean === clean);
    const requests = clean.points.filter((point) => point.is === "request").length;
    return [titleOf(clean.sample), clean.verb.title, requests, clean.points.length - requests, ...countsOf(own)];
  });
  return table(["kind", "verb", "requests", "operations", ...countHeads], rows);
}

function tableOfFaults(ran: readonly RanCase[]): string {
  const rows = [...requestFaults, ...operationFaults].map((fault) => [
    `${operationFaults.includes(fault) ? "operation: " : ""}${fault.title}`,
    ...countsOf(ran.filter(({ case: one }) => one.fault === fault)),
  ]);
  return table(["fault", ...countHeads], rows);
}

const countHeads = ["cases", "agree", "disagree", "unclear", "not struck"];

function countsOf(ran: readonly RanCase[]): number[] {
  const disagree = ran.filter(disagrees).length;
  const unclear = ran.filter(isUnclear).length;
  const missed = ran.filter(({ result, problems }) => result?.struck === false && problems.length === 0).length;
  return [ran.length, ran.length - disagree - missed, disagree, unclear, missed];
}

/** A case that could not be judged disagrees, too. */
function disagrees({ result }: RanCase): boolean {
  return result === undefined || result.disagreements.length > 0;
}

function isUnclear({ result }: RanCase): boolean {
  return result !== undefined && result.unclear.length > 0;
}
