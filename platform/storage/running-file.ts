import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

import { writeWhole } from "./write-whole";

/** The file in a data folder with the address and the process of its platform. It exists while the platform runs, and stays after a kill. */
export const runningFileName = "running.json";

const content = z.object({ consoleUrl: z.url(), pid: z.number() });

export type Running = z.infer<typeof content>;

/** Writes the file of this process, for this user only. It holds no secret. */
export function writeRunningFile(folder: string, consoleUrl: string): void {
  const text = `${JSON.stringify({ consoleUrl, pid: process.pid } satisfies Running)}\n`;
  writeWhole(join(folder, runningFileName), text, { mode: 0o600 });
}

export function removeRunningFile(folder: string): void {
  rmSync(join(folder, runningFileName), { force: true });
}

/** The address and the process of the last platform on this folder; undefined if there is no such file. */
export function readRunningFile(folder: string): Running | undefined {
  try {
    return content.parse(JSON.parse(readFileSync(join(folder, runningFileName), "utf8")));
  } catch {
    return undefined;
  }
}
