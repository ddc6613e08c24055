import { execFile } from "node:child_process";
import { cpus, loadavg, totalmem } from "node:os";
import { promisify } from "node:util";

import type { Measured, Row, Run } from "./row";

/** The result of a row, and how it came about. */
export interface Result extends Measured {
  readonly seed: number;
  readonly seconds: number;
  /** How many processes wanted to run at the start, on average of the last minute: what else the machine did. */
  readonly load: number;
  readonly machine: string;
}

export async function measure(row: Row, options: Omit<Run, "size">): Promise<Result> {
  const began = performance.now();
  const [load = 0] = loadavg();
  const measured = await row.measure({ ...options, size: (full, quick) => (options.quick ? quick : full) });
  assertPossible(measured);
  const seconds = Math.round((performance.now() - began) / 1000);
  return { ...measured, seed: options.seed, seconds, load, machine: await thisMachine() };
}

/** A figure that cannot be says that the row has measured something else, or nothing. */
function assertPossible({ figures }: Measured): void {
  if (figures.length === 0) throw new Error("the row has no figure");
  for (const { title, value, unit } of figures) {
    // Only a count can be zero.
    const isPossible = Number.isFinite(value) && (unit === "" ? value >= 0 : value > 0);
    if (!isPossible) throw new Error(`"${title}" cannot be ${value} ${unit}`);
  }
}

async function thisMachine(): Promise<string> {
  const [cpu] = cpus();
  const cli = await promisify(execFile)("pulumi", ["version"]).then(
    ({ stdout }) => stdout.trim().replace(/^v/, ""),
    () => "not found",
  );
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} cores (${cpu?.model.trim() ?? "unknown"}), ${memory} GB, Node ${process.versions.node}, Pulumi CLI ${cli}`;
}
