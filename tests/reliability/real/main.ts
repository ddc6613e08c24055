/**
 * A sample of the fault matrix with the real CLI, each case compared with what the model of the engine comes to.
 *
 * node dist/tests/reliability/real/main.js [--sample 100] [--seed 7] [--kinds Role,Database]
 *   [--case <name as the matrix names it, or its beginning>] [--slow] [--lanes 2]
 */
import { parseArgs } from "node:util";

import { countsOf, drawn, isFailed } from ".";
import { seededRandom } from "../seeded-random";

const { values: options } = parseArgs({
  options: {
    sample: { type: "string", default: "100" },
    seed: { type: "string" },
    kinds: { type: "string" },
    case: { type: "string" },
    slow: { type: "boolean", default: false },
    lanes: { type: "string", default: "2" },
  },
});

async function main(): Promise<number> {
  const seed = Number(options.seed ?? Math.floor(Math.random() * 2 ** 32));
  console.log(`seed ${seed}`);
  const began = performance.now();
  const comparisons = await drawn({
    kinds: options.kinds?.split(","),
    name: options.case,
    lanes: Number(options.lanes),
    recordingLanes: 4,
    draw: seededRandom(seed),
    sample: Number(options.sample),
    slow: options.slow,
    deadline: Infinity,
    say: (line) => console.log(line),
  });
  const counts = Object.entries(countsOf(comparisons)).map(([what, count]) => `${count} ${what}`);
  console.log(`${counts.join(", ")} (seed ${seed}), ${((performance.now() - began) / 1000).toFixed(0)} s`);
  return comparisons.some(isFailed) ? 1 : 0;
}

void main().then((code) => (process.exitCode = code));
