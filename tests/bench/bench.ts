/**
 * The benchmark: `npm run bench -- [--only waiting,refresh] [--write] [--seed 7] [--quick]`
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { namedIn, runProgram } from "../support/program";
import { measure } from "./measure";
import { formatted, page, pageOf, resultsOf } from "./page";
import { type Results, resultsFile, storedResults } from "./results";
import { rows } from "./rows";

async function main(): Promise<number> {
  const { values: options } = parseArgs({
    options: {
      only: { type: "string" },
      seed: { type: "string", default: "7" },
      quick: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
    },
  });
  const seed = Number(options.seed);
  if (!Number.isInteger(seed)) throw new RangeError(`--seed "${options.seed}" is not an integer`);
  const chosen = namedIn("--only", options.only, rows);
  console.log(`seed ${seed}`);
  const outcomes = await measure(chosen, { seed, quick: options.quick, say: (line) => console.log(line) });
  const results = Object.fromEntries(
    outcomes.flatMap((one) => ("result" in one ? [[one.row.name, one.result] as const] : [])),
  );
  console.log(
    `\n${await formatted(
      page,
      resultsOf(
        chosen.filter(({ name }) => name in results),
        results,
      ),
    )}`,
  );
  const failures = outcomes.flatMap((outcome) =>
    "failure" in outcome ? [`${outcome.row.name}: ${outcome.failure}`] : [],
  );
  for (const failure of failures) console.log(`\n✘ ${failure}`);
  const writes = !options.quick && (options.only === undefined || options.write);
  if (writes) await write({ ...storedResults(), ...results });
  return failures.length === 0 ? 0 : 1;
}

async function write(results: Results): Promise<void> {
  writeFileSync(resultsFile, await formatted(resultsFile, JSON.stringify(results)));
  writeFileSync(page, await pageOf(results));
}

runProgram(main);
