/**
 * The long run: every campaign, each with its share of the time.
 *
 * node dist/tests/reliability/long.js [--minutes 60] [--only matrix,kills] [--seed 7] [--write tests/reliability/results.md]
 *
 * `--only kills --case 's3 plugin 5'` runs the case of this name, or the cases whose names begin so, however long that takes.
 * `--door plugin` calls the kinds through the provider plugin, in `kills`, `refactoring` and the campaigns without the CLI.
 * `--only kills --backend s3` keeps the state in a bucket in all rounds, `--backend file` in a folder.
 * Without them, `kills` takes each in turn, and the other campaigns take the dynamic provider.
 */
import { parseArgs } from "node:util";

import { doors, useDoor } from "../support/door";
import { namedIn, runProgram } from "../support/program";
import type { Campaign, Carried, Findings, Run } from "./campaign";
import { campaigns } from "./campaigns";
import { backends } from "./kills/plan";
import { write } from "./page";

async function main(): Promise<number> {
  const { values: options } = parseArgs({
    options: {
      minutes: { type: "string", default: "60" },
      only: { type: "string" },
      seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 32)) },
      case: { type: "string" },
      backend: { type: "string" },
      door: { type: "string" },
      write: { type: "string" },
    },
  });
  const minutes = number("--minutes", options.minutes);
  const seed = number("--seed", options.seed);
  const backend = backends.find((one) => one === options.backend);
  if (options.backend !== undefined && backend === undefined) {
    throw new RangeError(`--backend: ${options.backend} is none of ${backends.join(", ")}`);
  }
  const door = doors.find((one) => one === options.door);
  if (options.door !== undefined && door === undefined) {
    throw new RangeError(`--door: ${options.door} is none of ${doors.join(", ")}`);
  }
  useDoor(door ?? "dynamic");
  const chosen = namedIn("--only", options.only, campaigns);
  const began = performance.now();
  console.log(`seed ${seed}`);
  const end = options.case === undefined ? began + minutes * 60_000 : Infinity;
  const carried = await carryOut(chosen, { seed, end, only: options.case, backend, door });
  const seconds = (performance.now() - began) / 1000;
  const named = Object.entries({ backend, door }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${value}`],
  );
  if (options.write !== undefined) {
    await write(options.write, carried, [`--minutes ${minutes} --seed ${seed}`, ...named].join(" "), door);
  }
  const failures = carried.flatMap(({ findings }) => findings.failures);
  for (const failure of failures) console.log(`✘ ${failure}`);
  console.log(`\n${summaryOf(carried)} (seed ${seed}, ${seconds.toFixed(0)} s, ${failures.length} failed)`);
  return failures.length > 0 ? 1 : 0;
}

/** Runs one campaign after the other. Each has its share of the remaining time, and leaves the rest to the later ones. */
async function carryOut(
  chosen: readonly Campaign[],
  { end, ...run }: Pick<Run, "seed" | "only" | "backend" | "door"> & { readonly end: number },
): Promise<readonly Carried[]> {
  const carried: Carried[] = [];
  for (const [index, campaign] of chosen.entries()) {
    const began = performance.now();
    const shares = chosen.slice(index).reduce((sum, { share }) => sum + share, 0);
    const deadline = began + Math.max(0, end - began) * (campaign.share / shares);
    const limit = run.only === undefined ? `for ${((deadline - began) / 60_000).toFixed(1)} min at most` : run.only;
    console.log(`\n${campaign.name}: ${campaign.title}, ${limit}`);
    const say = (line: string): void => console.log(`  ${line}`);
    const findings = await campaign.carryOut({ ...run, deadline, say }).catch((error: unknown): Findings => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return { counts: {}, failures: [`${campaign.name} could not be carried out: ${text}`] };
    });
    const seconds = (performance.now() - began) / 1000;
    carried.push({ campaign, findings, seconds });
    console.log(`${countsText(findings)} (${seconds.toFixed(0)} s)`);
  }
  return carried;
}

function summaryOf(carried: readonly Carried[]): string {
  return carried.map(({ campaign: { name }, findings }) => `${name}: ${countsText(findings)}`).join(" · ");
}

function countsText({ counts }: Findings): string {
  return Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(", ");
}

function number(flag: string, text: string): number {
  const value = Number(text);
  if (!(value >= 0) || text.trim() === "") throw new RangeError(`${flag} "${text}" is not a number`);
  return value;
}

runProgram(main);
