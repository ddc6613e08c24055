/**
 * Rounds of searches for secrets, alone.
 *
 * node dist/tests/reliability/secrets/main.js [--seconds 60] [--seed 7] [--only <round>,<round>]
 */
import { parseArgs } from "node:util";

import { rounds } from ".";

const { values: options } = parseArgs({
  options: { seconds: { type: "string", default: "60" }, seed: { type: "string" }, only: { type: "string" } },
});

async function main(): Promise<number> {
  const seed = Number(options.seed ?? Math.floor(Math.random() * 2 ** 32));
  const began = performance.now();
  console.log(`seed ${seed}`);
  const { counts, failures } = await rounds({
    seed,
    deadline: options.only === undefined ? began + Number(options.seconds) * 1000 : Infinity,
    say: (line) => console.log(line),
    numbers: options.only?.split(",").map(Number) ?? Array.from({ length: 100_000 }, (_, number) => number),
  });
  const list = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  console.log(`${list.join(", ")}, ${((performance.now() - began) / 1000).toFixed(0)} s`);
  return failures.length === 0 ? 0 : 1;
}

void main().then((code) => (process.exitCode = code));
