/**
 * Every refactoring of programs and stacks, for every kind.
 *
 * node dist/tests/reliability/refactoring/main.js [--kinds Role,Database] [--case <name, or its beginning>] [--sample 50]
 *   [--seed 7] [--lanes 4] [--real] [--list]
 */
import { parseArgs } from "node:util";

import { isFailed, playedCases, table } from ".";
import { seededRandom } from "../seeded-random";
import { casesOf, nameOf } from "./cases";
import { modelled, real } from "./verdict";

async function main(): Promise<number> {
  const { values: options } = parseArgs({
    options: {
      kinds: { type: "string" },
      case: { type: "string" },
      sample: { type: "string" },
      seed: { type: "string" },
      lanes: { type: "string", default: "4" },
      real: { type: "boolean", default: false },
      list: { type: "boolean", default: false },
    },
  });
  const part = { kinds: options.kinds?.split(","), name: options.case };
  if (options.list) {
    for (const one of casesOf(part)) console.log(nameOf(one));
    return 0;
  }
  const seed = Number(options.seed ?? Math.floor(Math.random() * 2 ** 32));
  const began = performance.now();
  const { verdicts, all } = await playedCases(
    {
      ...part,
      lanes: Number(options.lanes),
      draw: seededRandom(seed),
      sample: options.sample === undefined ? undefined : Number(options.sample),
      deadline: Infinity,
      say: (line) => console.log(line),
    },
    options.real ? real : modelled,
  );
  if (verdicts.length > 1) console.log(`\n${table(verdicts)}\n`);
  const failed = verdicts.filter(isFailed).length;
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`${verdicts.length} of ${all} cases (seed ${seed}), ${failed} failed, ${seconds} s`);
  return failed > 0 ? 1 : 0;
}

void main().then((code) => (process.exitCode = code));
