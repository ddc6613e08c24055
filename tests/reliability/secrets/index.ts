import type { Campaign, Findings, Run } from "../campaign";
import { Lane } from "./lane";
import { planOf, titleOf } from "./plan";

/** Everything that can be read, searched for everything that is secret. */
export const secrets: Campaign = {
  name: "secrets",
  title: "No secret is told where none belongs",
  share: 0.6,
  carryOut: ({ seed, deadline, say }) => rounds({ seed, deadline, say, numbers: endless() }),
};

/** What rounds are run with. */
export interface RoundsOptions extends Pick<Run, "seed" | "deadline" | "say"> {
  /** The numbers of the rounds, which together with the seed determine them. */
  readonly numbers: Iterable<number>;
}

/** Runs rounds until they or the time are over. */
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

function* endless(): Generator<number> {
  for (let number = 0; ; number += 1) yield number;
}
