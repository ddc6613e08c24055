/**
 * The benchmark: `npm run bench -- [--only waiting,growth] [--write] [--seed 7] [--quick]`
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { namedIn, runProgram } from "../support/program";
import { measure } from "./measure";
import { page, sectionOf, withSection } from "./page";
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
  let failures = 0;
  for (const row of namedIn("--only", options.only, rows)) {
    console.log(`\n${row.name}`);
    try {
      const say = (line: string): void => console.log(`  ${line}`);
      const section = await sectionOf(row, await measure(row, { seed, quick: options.quick, say }));
      console.log(`\n${section}`);
      if (options.write && !options.quick) writeFileSync(page, withSection(readFileSync(page, "utf8"), row, section));
    } catch (error) {
      // The other rows are still measured.
      failures += 1;
      console.log(`✘ ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  }
  return failures === 0 ? 0 : 1;
}

runProgram(main);
