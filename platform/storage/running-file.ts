import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** The file in a data folder with the address and the process of its platform. It exists while the platform runs, and stays after a kill. */
export const runningFileName = "running.json";

const content = z.object({ consoleUrl: z.url(), pid: z.number() });

export type Running = z.infer<typeof content>;

/** Writes the file of this process, for this user only. It holds no secret. */
export function writeRunningFile(folder: string, consoleUrl: string): void {
  const file = join(folder, runningFileName);
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, `${JSON.stringify({ consoleUrl, pid: process.pid } satisfies Running)}\n`, {
    mode: 0o600,
  });
  renameSync(`${file}.new`, file);
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
