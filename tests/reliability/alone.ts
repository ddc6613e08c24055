import { parseArgs } from "node:util";

import type { Campaign } from "./campaign";
import { randomSeed, seededRandom } from "./seeded-random";

/** Runs a campaign by itself, as a program: `[--seed 7] [--seconds 60] [--only <round>,<round>]`. */
export async function runAlone({ carryOut, name }: Campaign): Promise<void> {
  const { values } = parseArgs({
    options: { seed: { type: "string" }, seconds: { type: "string", default: "60" }, only: { type: "string" } },
  });
  const seed = Number(values.seed ?? randomSeed());
  const only = values.only?.split(",").map(Number);
  const deadline = only === undefined ? performance.now() + Number(values.seconds) * 1000 : Infinity;
  console.log(`${name}, seed ${seed}`);
  const run = { seed, draw: seededRandom(seed), deadline, only, say: console.log };
  const { counts, failures, details } = await carryOut(run);
  for (const [what, count] of Object.entries(counts)) console.log(`${count} ${what}`);
  if (details !== "") console.log(details);
  console.log(`${failures.length} failures`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}
