import type { Command } from "commander";
import { type FileHandle, open, stat } from "node:fs/promises";
import { join } from "node:path";

import { sleep, systemClock } from "../clock";
import type { PlatformStatus } from "../model/status";
import { logFileName } from "../postgres/engine";
import { findBranch, findPlatform, type Target, withTarget } from "./running-platform";

interface LogsOptions extends Target {
  readonly project?: string;
  readonly follow?: true;
}

const pollMs = 200;
const chunkBytes = 65_536;

/** `neon-platform logs` */
export function addLogsCommand(program: Command): void {
  withTarget(program.command("logs"))
    .description("print the Postgres log of a branch of a running platform")
    .argument("<branch>", "name or id of a branch, or id of a read replica")
    .option("--project <project>", "name or id, if several projects have a branch of this name")
    .option("-f, --follow", "keep printing new lines")
    .action(async (name: string, options: LogsOptions) => {
      const { status } = await findPlatform(options);
      const file = logFileOf(status, name, options.project);
      if (options.follow) await follow(file);
      else await print(file);
    });
}

function logFileOf(status: PlatformStatus, name: string, project: string | undefined): string {
  const computes = status.projects.flatMap(({ branches }) => branches.flatMap((branch) => branch.computes));
  const replica = computes.find(({ id, folder }) => id === name && folder !== null);
  const folder = replica ? replica.folder : findBranch(status, name, project).branch.folder;
  if (folder === null) throw new Error("this platform runs no Postgres");
  return join(folder, logFileName);
}

async function print(file: string): Promise<void> {
  const log = await openLog(file);
  if (!log) return;
  await copyFrom(log, 0);
  await log.close();
}

/** Prints a log until the process is ended. After a restore, the branch has another log, which is printed from its beginning. */
async function follow(file: string): Promise<never> {
  for (;;) {
    const log = await openLog(file);
    const { ino } = log ? await log.stat() : { ino: undefined };
    let position = 0;
    while (log) {
      position = await copyFrom(log, position);
      await sleep(systemClock, pollMs);
      const now = await stat(file).catch(() => undefined);
      if (now?.ino !== ino) break;
    }
    await log?.close();
    if (!log) await sleep(systemClock, pollMs);
  }
}

/** Opens a log; undefined if it does not exist, because the branch never had a running compute. */
async function openLog(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Prints a file from a position on. Returns the position after it. */
async function copyFrom(log: FileHandle, from: number): Promise<number> {
  const chunk = Buffer.alloc(chunkBytes);
  for (let position = from; ;) {
    const { bytesRead } = await log.read(chunk, 0, chunkBytes, position);
    if (bytesRead === 0) return position;
    position += bytesRead;
    const text = Buffer.from(chunk.subarray(0, bytesRead));
    await new Promise((resolve) => process.stdout.write(text, resolve));
  }
}
