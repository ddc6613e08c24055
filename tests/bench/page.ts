import { format, resolveConfig } from "prettier";

import { table } from "../support/markdown";
import type { Result } from "./measure";
import type { Figure, Row, Unit } from "./row";

/** The page is written by hand, except what is between the marker of a row and the next end. */
export const page = "docs/internals/benchmarks.md";

const markerOf = ({ name }: Pick<Row, "name">): string => `<!-- bench: ${name} -->`;
const end = "<!-- end -->";

/** The page with this section of a row in place of its own. */
export function withSection(text: string, row: Pick<Row, "name">, section: string): string {
  const begin = text.indexOf(markerOf(row));
  if (begin < 0) throw new Error(`${page} has no ${markerOf(row)}`);
  const after = text.indexOf(end, begin);
  return `${text.slice(0, begin)}${markerOf(row)}\n\n${section.trim()}\n\n${text.slice(after)}`;
}

/** The measurements of a row, as `npm run format` leaves it. */
export async function sectionOf({ name }: Pick<Row, "name">, result: Result): Promise<string> {
  const { figures, comparison, seed, seconds, load, machine } = result;
  const lines = figures.map((figure) => [
    figure.title,
    targetOf(figure),
    shown(figure.value, figure.unit),
    verdict(figure).replace("no", "**no**"),
  ]);
  const date = new Date().toISOString().slice(0, 10);
  const text = [
    table(["figure", "target", "measured", "ok"], lines),
    ...(comparison === undefined ? [] : [table(comparison.heads, comparison.lines)]),
    `\`npm run bench -- --only ${name} --seed ${seed}\` took ${seconds} s on ${date}: ${machine}. The load average was ${load.toFixed(1)} at the start.`,
  ].join("\n\n");
  return await format(text, { ...(await resolveConfig(page)), filepath: page });
}

/** Whether a figure keeps its target. */
function verdict({ value, atMost }: Figure): "yes" | "no" | "" {
  if (atMost === undefined) return "";
  return value <= atMost ? "yes" : "no";
}

function targetOf({ atMost, unit }: Figure): string {
  if (atMost === undefined) return "";
  return atMost === 0 ? "0" : `≤ ${shown(atMost, unit)}`;
}

function shown(value: number, unit: Unit): string {
  const digits = unit === "×" ? 3 : unit === "" ? 1 : 0;
  return `${Number(value.toFixed(digits))} ${unit}`.trim();
}
