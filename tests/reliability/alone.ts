import { parseArgs } from "node:util";

import type { Campaign } from "./campaign";
import { seededRandom } from "./seeded-random";

/** Runs a campaign by itself, as a program: `[--seed 7] [--seconds 60]`. */
export async function runAlone({ carryOut, name }: Campaign): Promise<void> {
  const { values: options } = parseArgs({
    options: { seed: { type: "string" }, seconds: { type: "string", default: "60" } },
  });
  const seed = Number(options.seed ?? Math.floor(Math.random() * 2 ** 32));
  console.log(`${name}, seed ${seed}`);
  const deadline = performance.now() + Number(options.seconds) * 1000;
  const { counts, failures, details } = await carryOut({ seed, draw: seededRandom(seed), deadline, say: console.log });
  for (const [what, count] of Object.entries(counts)) console.log(`${count} ${what}`);
  if (details !== "") console.log(details);
  console.log(failures.length === 0 ? "all well" : `${failures.length} failures`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}
