import { execFile } from "node:child_process";
import { cpus, loadavg, totalmem } from "node:os";
import { promisify } from "node:util";

import type { Result } from "./results";
import type { Measured, Row, Run, Shared } from "./row";

export interface Options {
  readonly seed: number;
  readonly quick: boolean;
  readonly say: (line: string) => void;
}

export type Outcome = { readonly row: Row } & ({ readonly result: Result } | { readonly failure: string });

/** Measures rows one after the other. A row that fails does not keep the others from running. */
export async function measure(rows: readonly Row[], options: Options): Promise<readonly Outcome[]> {
  const machine = await thisMachine();
  const made = new Map<string, Promise<Shared<unknown>>>();
  const run: Run = {
    ...options,
    size: (full, quick) => (options.quick ? quick : full),
    shared: async <Made>(name: string, make: () => Promise<Shared<Made>>) => {
      const own = (made.get(name) as Promise<Shared<Made>> | undefined) ?? make();
      made.set(name, own);
      return (await own).made;
    },
  };
  const outcomes: Outcome[] = [];
  try {
    for (const row of rows) {
      options.say(`${row.name}: ${row.title}`);
      const began = performance.now();
      const load = Number((loadavg()[0] ?? 0).toFixed(1));
      try {
        const measured = await row.measure({ ...run, say: (line) => options.say(`  ${line}`) });
        assertPossible(measured);
        const seconds = (performance.now() - began) / 1000;
        const date = new Date().toISOString().slice(0, 10);
        outcomes.push({
          row,
          result: { ...measured, machine, date, seed: options.seed, seconds: Math.round(seconds), load },
        });
      } catch (error) {
        outcomes.push({ row, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      }
    }
  } finally {
    for (const started of await Promise.allSettled(made.values())) {
      if (started.status === "fulfilled") await started.value.end();
    }
  }
  return outcomes;
}

/** A figure that cannot be says that the row has measured something else, or nothing. */
function assertPossible({ figures, comparison }: Measured): void {
  if (figures.length === 0) throw new Error("the row has no figure");
  for (const { title, value, unit } of figures) {
    // Only a count can be zero.
    const isPossible = Number.isFinite(value) && (unit === "" ? value >= 0 : value > 0);
    if (!isPossible) throw new Error(`"${title}" cannot be ${value} ${unit}`);
  }
  for (const [name, ...cells] of comparison?.lines ?? []) {
    const impossible = cells.find((cell) => /NaN|Infinity|undefined|^0(\.0+)? ×|^-/.test(String(cell)));
    if (impossible !== undefined) throw new Error(`"${name}" cannot have "${impossible}"`);
  }
}

/** Where a row is measured. */
export async function thisMachine() {
  const [cpu] = cpus();
  const cli = await promisify(execFile)("pulumi", ["version"]).then(
    ({ stdout }) => stdout.trim().replace(/^v/, ""),
    () => "not found",
  );
  return {
    cores: cpus().length,
    processor: cpu?.model.trim() ?? "unknown",
    /** Gibibytes. */
    memory: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    cli,
  };
}
