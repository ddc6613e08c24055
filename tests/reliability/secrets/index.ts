import type { Campaign, Findings, Run } from "../campaign";
import { numbersFrom } from "../seeded-random";
import { Lane } from "./lane";
import { planOf, titleOf } from "./plan";

/** Searches everything that can be read for everything that is secret. */
export const secrets: Campaign = {
  name: "secrets",
  title: "Secrets appear nowhere but in secret outputs",
  share: 0.6,
  carryOut: (run) => rounds({ ...run, numbers: run.only ?? numbersFrom(0) }),
};

/** The options of the rounds. */
export interface RoundsOptions extends Pick<Run, "seed" | "deadline" | "say"> {
  /** The numbers of the rounds, which together with the seed determine them. */
  readonly numbers: Iterable<number>;
}

/** Runs all rounds, or as many as the time allows. */
export async function rounds({ seed, deadline, say, numbers }: RoundsOptions): Promise<Findings> {
  const lane = await Lane.open();
  const failures: string[] = [];
  let done = 0;
  let leaks = 0;
  try {
    for (const number of numbers) {
      if (performance.now() >= deadline) break;
      const plan = planOf(seed, number, lane.echoes);
      const found = await lane.carryOut(plan);
      done += 1;
      leaks += found.length;
      if (found.length === 0) continue;
      const again = `node dist/tests/reliability/secrets/main.js --seed ${seed} --only ${number}`;
      failures.push([`${titleOf(plan)} (${again})`, ...found].join("\n    "));
      say(`✘ ${failures.at(-1) ?? ""}`);
    }
  } finally {
    await lane.close();
  }
  const { planted, failed } = lane;
  return {
    counts: {
      "lives of resources": done,
      "calls that failed": failed,
      "planted secrets": planted.count,
      "searched places": planted.places,
      "searched megabytes": Math.round(planted.bytes / 1e6),
      leaks,
    },
    failures,
    details:
      "Each secret is searched for in plain, URL-encoded, JSON, hexadecimal and Base64 (at each of the three offsets), in " +
      "errors and their reasons, ids, inputs, outputs that are not secret, rows, logs, the journal, the platform's " +
      "console and list of requests, and the files of its data folder.",
  };
}
