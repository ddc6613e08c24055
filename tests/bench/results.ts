import { existsSync, readFileSync } from "node:fs";

import type { thisMachine } from "./measure";
import type { Measured } from "./row";

/** The result of a row, and how it came about. */
export interface Result extends Measured {
  readonly machine: Awaited<ReturnType<typeof thisMachine>>;
  readonly date: string;
  readonly seed: number;
  readonly seconds: number;
  /** How many processes wanted to run at the start, on average of the last minute: what else the machine did. */
  readonly load: number;
}

/** Results by name of the row. */
export type Results = Readonly<Record<string, Result>>;

/** The latest results, from which the page is made. */
export const resultsFile = "tests/bench/results.json";

export function storedResults(): Results {
  return existsSync(resultsFile) ? (JSON.parse(readFileSync(resultsFile, "utf8")) as Results) : {};
}
