/**
 * The benchmark: `npm run bench -- [--only waiting,refresh] [--write] [--seed 7] [--quick]`
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { growthChart, targetsChart } from "./chart";
import { measure, type Outcome } from "./measure";
import { chart, formatted, growthChart as growthFile, page, pageOf, shown, targetOf, verdict } from "./page";
import { type Results, resultsFile, storedResults } from "./results";
import type { Row } from "./row";
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
  const chosen = chosenOf(options.only?.split(","));
  console.log(`seed ${seed}`);
  const outcomes = await measure(chosen, { seed, quick: options.quick, say: (line) => console.log(line) });
  console.log(`\n${textOf(outcomes)}`);
  const failures = outcomes.flatMap((outcome) =>
    "failure" in outcome ? [`${outcome.row.name}: ${outcome.failure}`] : [],
  );
  for (const failure of failures) console.log(`\n✘ ${failure}`);
  const writes = !options.quick && (options.only === undefined || options.write);
  if (writes) await write({ ...storedResults(), ...resultsOf(outcomes) });
  return failures.length === 0 ? 0 : 1;
}

function chosenOf(names: readonly string[] | undefined): readonly Row[] {
  const unknown = names?.filter((name) => !rows.some((row) => row.name === name)) ?? [];
  if (unknown.length > 0) {
    throw new RangeError(
      `--only: there is no row ${unknown.join(", ")}; there are ${rows.map(({ name }) => name).join(", ")}`,
    );
  }
  return rows.filter(({ name }) => names?.includes(name) ?? true);
}

function resultsOf(outcomes: readonly Outcome[]): Results {
  return Object.fromEntries(outcomes.flatMap((one) => ("result" in one ? [[one.row.name, one.result]] : [])));
}

/** One table of all figures, and below it what was compared. */
function textOf(outcomes: readonly Outcome[]): string {
  const results = outcomes.flatMap((outcome) => ("result" in outcome ? [outcome] : []));
  const lines = results.flatMap(({ row, result }) =>
    result.figures.map((figure) => [
      row.name,
      figure.title,
      targetOf(figure),
      shown(figure.value, figure.unit),
      verdict(figure),
    ]),
  );
  const comparisons = results.flatMap(({ row, result: { comparison, remark } }) => [
    ...(comparison === undefined ? [] : [`${row.name}\n${aligned([comparison.heads, ...comparison.lines])}`]),
    ...(remark === undefined ? [] : [remark]),
  ]);
  return [aligned([["row", "figure", "target", "measured", "ok"], ...lines]), ...comparisons].join("\n\n");
}

/** Lines with their cells below each other. */
function aligned(lines: readonly (readonly (string | number)[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => String(line[column] ?? "").length)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => String(cell).padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

async function write(results: Results): Promise<void> {
  writeFileSync(resultsFile, await formatted(resultsFile, JSON.stringify(results)));
  writeFileSync(page, await pageOf(results));
  writeFileSync(chart, targetsChart(results));
  const plots = Object.values(results).flatMap(({ growth = [] }) => growth);
  if (plots.length > 0) writeFileSync(growthFile, growthChart(plots));
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof RangeError ? error.message : error);
    process.exit(1);
  },
);
