import { format, resolveConfig } from "prettier";

import { table } from "../support/markdown";
import type { Result, Results } from "./results";
import type { Figure, Row, Unit } from "./row";
import { rows } from "./rows";

export const page = "docs/internals/benchmarks.md";

const head = `# Benchmarks

\`npm run bench\` starts all that it needs, measures every row, and writes this page and
\`tests/bench/results.json\`. Nothing was measured with Neon itself: operations are simulated by the local platform, which limits no
rate unless a row says so. Times of the provider and of functions are compared with a floor or a peer of the same run; other times of the local
platform are not.
Each row names its day and its machine: compare times within a row only.

| Option        | Effect                                                                      |
| ------------- | --------------------------------------------------------------------------- |
| \`--only a,b\`  | measures single rows and prints them                                        |
| \`--write\`     | with \`--only\`: writes these rows; the others stay                           |
| \`--seed 7\`    | repeats the operation times of a run                                        |
| \`--quick\`     | takes small samples, to see that the benchmark works; writes nothing        |`;

export async function pageOf(results: Results): Promise<string> {
  return await formatted(page, `${head}\n\n${resultsOf(rows, results)}`);
}

/** A table of all figures of some rows, and a section for each row. */
export function resultsOf(some: readonly Row[], results: Results): string {
  const lines = some.flatMap((row) =>
    (results[row.name]?.figures ?? []).map((figure) => [
      `[${row.name}](#${anchor(row.title)})`,
      figure.title,
      targetOf(figure),
      shown(figure.value, figure.unit),
      verdict(figure).replace("no", "**no**"),
    ]),
  );
  return [
    "## Results",
    missedOf(some, results),
    table(["row", "figure", "target", "measured", "ok"], lines),
    ...some.map((row) => sectionOf(row, results[row.name])),
  ].join("\n\n");
}

/** How many of the targets are missed. */
function missedOf(some: readonly Row[], results: Results): string {
  const verdicts = some.flatMap(({ name }) => (results[name]?.figures ?? []).map(verdict)).filter((one) => one !== "");
  return `${verdicts.filter((one) => one === "no").length} of ${verdicts.length} targets are missed: those with **no**.`;
}

/** The text of a file as `npm run format` leaves it. */
export async function formatted(path: string, text: string): Promise<string> {
  return await format(text, { ...(await resolveConfig(path)), filepath: path });
}

/** Whether a figure keeps its target. */
export function verdict({ value, atMost }: Figure): "yes" | "no" | "" {
  if (atMost === undefined) return "";
  return value <= atMost ? "yes" : "no";
}

function targetOf({ atMost, unit }: Figure): string {
  if (atMost === undefined) return "";
  return atMost === 0 ? "0" : `≤ ${shown(atMost, unit)}`;
}

export function shown(value: number, unit: Unit): string {
  const digits = unit === "×" ? 3 : unit === "%" ? 2 : unit === "" && !Number.isInteger(value) ? 1 : 0;
  return `${value
    .toFixed(digits)
    .replace(/(\.\d*?)0+$|\.$/, "$1")
    .replace(/\.$/, "")}${unit === "" ? "" : ` ${unit}`}`;
}

function sectionOf(row: Row, result: Result | undefined): string {
  const { comparison, remark } = result ?? {};
  return [
    `## ${row.title}`,
    row.compares,
    ...(comparison === undefined ? [] : [table(comparison.heads, comparison.lines)]),
    ...(remark === undefined ? [] : [remark]),
    sourceOf(row, result),
  ].join("\n\n");
}

/** The command of a row, and where it was run. */
function sourceOf({ name, measuresTime }: Row, result: Result | undefined): string {
  if (result === undefined) return `Not measured yet: \`npm run bench -- --only ${name} --write\` does it.`;
  const { seed, seconds, date, machine, load } = result;
  const command = `\`npm run bench -- --only ${name} --seed ${seed}\``;
  const independence = measuresTime
    ? ` The load average was ${load} at the start.`
    : " The figures do not depend on the machine.";
  return `${command} took ${seconds.toFixed(0)} s on ${date}: ${machineText(machine)}.${independence}`;
}

function machineText({ cores, processor, memory, node, cli }: Result["machine"]): string {
  return `${cores} cores (${processor}), ${memory} GB, Node ${node}, Pulumi CLI ${cli}`;
}

function anchor(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}
