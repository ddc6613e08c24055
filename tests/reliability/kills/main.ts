/**
 * Rounds in which processes are killed and interrupted, alone.
 *
 * node dist/tests/reliability/kills/main.js [--times 100] [--seed 7] [--only <round>] [--lanes 2]
 */
import { parseArgs } from "node:util";

import { rounds } from ".";

const { values: options } = parseArgs({
  options: {
    times: { type: "string", default: "100" },
    seed: { type: "string" },
    only: { type: "string" },
    lanes: { type: "string", default: "2" },
  },
});

async function main(): Promise<number> {
  const seed = Number(options.seed ?? Math.floor(Math.random() * 2 ** 32));
  const only = options.only?.split(",").map(Number);
  const numbers = only ?? Array.from({ length: Number(options.times) }, (_, index) => index + 1);
  const began = performance.now();
  console.log(`seed ${seed}`);
  const { counts, failures, details } = await rounds({
    seed,
    deadline: Infinity,
    say: (line) => console.log(line),
    numbers: numbers.values(),
    lanes: Math.min(Number(options.lanes), numbers.length),
  });
  const list = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  console.log(
    `\n${details}\n\n${list.join(", ")}, ${failures.length} failed, ${((performance.now() - began) / 1000).toFixed(0)} s`,
  );
  return failures.length === 0 ? 0 : 1;
}

void main().then((code) => process.exit(code));
