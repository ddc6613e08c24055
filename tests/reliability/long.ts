/**
 * The long run: every campaign, each with its share of the time.
 *
 * node dist/tests/reliability/long.js [--minutes 60] [--only matrix,kills] [--seed 7]
 *
 * `--only kills --case 's3 plugin 5'` runs the case of this name, or the cases whose names begin so, however long that takes.
 * `--door plugin` calls the kinds through the provider plugin, in `kills`, `refactoring` and the campaigns without the CLI.
 * `--only kills --backend s3` keeps the state in a bucket in all rounds, `--backend file` in a folder.
 * Without them, `kills` takes each in turn, and the other campaigns take the dynamic provider.
 */
import { parseArgs } from "node:util";

import { doors, useDoor } from "../support/door";
import { namedIn, runProgram } from "../support/program";
import type { Campaign, Findings, Run } from "./campaign";
import { kills } from "./kills";
import { backends } from "./kills/plan";
import { matrix } from "./matrix";
import { refactoring } from "./refactoring";

/** All campaigns in their order. The last one uses all the time that is left. */
const campaigns: readonly Campaign[] = [kills, refactoring, matrix];

async function main(): Promise<number> {
  const { values: options } = parseArgs({
    options: {
      minutes: { type: "string", default: "60" },
      only: { type: "string" },
      seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 32)) },
      case: { type: "string" },
      backend: { type: "string" },
      door: { type: "string" },
    },
  });
  const minutes = number("--minutes", options.minutes);
  const seed = number("--seed", options.seed);
  const backend = oneOf("--backend", options.backend, backends);
  const door = oneOf("--door", options.door, doors);
  useDoor(door ?? "dynamic");
  const chosen = namedIn("--only", options.only, campaigns);
  const began = performance.now();
  console.log(`seed ${seed}`);
  const end = options.case === undefined ? began + minutes * 60_000 : Infinity;
  const carried = await carryOut(chosen, { seed, end, only: options.case, backend, door });
  const seconds = (performance.now() - began) / 1000;
  const failures = carried.flatMap((one) => one.failures);
  for (const failure of failures) console.log(`✘ ${failure}`);
  const summary = carried.map((one) => `${one.name}: ${countsText(one)}`).join(" · ");
  console.log(`\n${summary} (seed ${seed}, ${seconds.toFixed(0)} s, ${failures.length} failed)`);
  return failures.length > 0 ? 1 : 0;
}

interface Carried extends Findings {
  readonly name: string;
}

/** Runs one campaign after the other. Each has its share of the remaining time, and leaves the rest to the later ones. */
async function carryOut(
  chosen: readonly Campaign[],
  { end, ...run }: Pick<Run, "seed" | "only" | "backend" | "door"> & { readonly end: number },
): Promise<readonly Carried[]> {
  const carried: Carried[] = [];
  for (const [index, { name, title, share, carryOut: work }] of chosen.entries()) {
    const began = performance.now();
    const shares = chosen.slice(index).reduce((sum, one) => sum + one.share, 0);
    const deadline = began + Math.max(0, end - began) * (share / shares);
    const limit = run.only === undefined ? `for ${((deadline - began) / 60_000).toFixed(1)} min at most` : run.only;
    console.log(`\n${name}: ${title}, ${limit}`);
    const say = (line: string): void => console.log(`  ${line}`);
    const findings = await work({ ...run, deadline, say }).catch((error: unknown): Findings => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return { counts: {}, failures: [`${name} could not be carried out: ${text}`] };
    });
    carried.push({ name, ...findings });
    console.log(`${countsText(findings)} (${((performance.now() - began) / 1000).toFixed(0)} s)`);
  }
  return carried;
}

function countsText({ counts }: Findings): string {
  return Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(", ");
}

/** @throws RangeError for another value */
function oneOf<Value extends string>(
  flag: string,
  given: string | undefined,
  values: readonly Value[],
): Value | undefined {
  const found = values.find((one) => one === given);
  if (given !== undefined && found === undefined)
    throw new RangeError(`${flag}: ${given} is none of ${values.join(", ")}`);
  return found;
}

function number(flag: string, text: string): number {
  const value = Number(text);
  if (!(value >= 0) || text.trim() === "") throw new RangeError(`${flag} "${text}" is not a number`);
  return value;
}

runProgram(main);
