import { type Campaign, type Findings, roundsOf, type Run, runCases } from "../campaign";
import { Lane } from "./lane";

/** Searches everything that can be read for everything that is secret. */
export const secrets: Campaign = {
  name: "secrets",
  title: "Secrets appear nowhere but in secret outputs",
  share: 0.6,
  carryOut: (run) => runRounds(run, roundsOf(run, 0)),
};

/** Runs the rounds of these numbers, or as many as the time allows. */
export async function runRounds(
  run: Pick<Run, "seed" | "deadline" | "say">,
  numbers: Iterable<number>,
): Promise<Findings> {
  const lanes: Lane[] = [];
  const { ran, failures } = await runCases(run, {
    campaign: "secrets",
    cases: numbers,
    nameOf: String,
    workers: 1,
    every: 10,
    open: async () => {
      const lane = await Lane.open();
      lanes.push(lane);
      return lane;
    },
    close: (lane) => lane.close(),
    work: (lane, number) => lane.carryOut(run.seed, number),
  });
  const sum = (of: (lane: Lane) => number): number => lanes.reduce((total, lane) => total + of(lane), 0);
  return {
    counts: {
      "lives of resources": ran.length,
      "calls that failed": sum(({ failed }) => failed),
      "planted secrets": sum(({ secrets }) => secrets.count),
      "searched places": sum(({ secrets }) => secrets.places),
      "searched megabytes": Math.round(sum(({ secrets }) => secrets.bytes) / 1e6),
      leaks: ran.reduce((total, { result }) => total + (result?.leaks ?? 0), 0),
    },
    failures,
    details:
      "Each secret is searched for in plain, URL-encoded, JSON, hexadecimal and Base64 (at each of the three offsets), in " +
      "errors and their reasons, ids, inputs, outputs that are not secret, rows, logs, files in Pulumi's home, the platform's " +
      "console and list of requests, and the files of its data folder.",
  };
}
