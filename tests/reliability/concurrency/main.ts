/**
 * What shares a project, a process or an account.
 *
 * node dist/tests/reliability/concurrency/main.js [--rounds N] [--seed S] [--only <scenario>] [--case <seed of one>]
 */
import { parseArgs } from "node:util";

import { seededRandom } from "../seeded-random";
import { carryOut, scenarios } from "./index";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "1" },
    seed: { type: "string" },
    only: { type: "string" },
    case: { type: "string" },
  },
});

async function main(): Promise<number> {
  const seed = Number(options.seed ?? Math.floor(Math.random() * 2 ** 32));
  const only = scenarios.filter(({ name }) => options.only === undefined || name === options.only);
  // The seed of one case is drawn like any other: here it is the only draw.
  const draw = options.case === undefined ? seededRandom(seed) : () => Number(options.case) / 2 ** 32;
  const say = (line: string): void => console.log(line);
  const run = { seed, draw, deadline: Infinity, say };
  const { failures, details } = await carryOut(run, Number(options.rounds), only);
  console.log(`\n${details}\n\nseed ${options.case === undefined ? seed : "of the case"}, ${failures.length} failures`);
  return failures.length > 0 ? 1 : 0;
}

void main().then((code) => process.exit(code));
