import { execFileSync } from "node:child_process";
import { readdirSync, readlinkSync } from "node:fs";
import { rm } from "node:fs/promises";

import { sleep, systemClock } from "../clock";
import { readPidFile, signal } from "./postmaster";

const pollMs = 10;
const orderlyMs = 5_000;

/**
 * Ends the Postgres processes that an earlier platform has left on data folders. Normally there are none, not even after the
 * platform was killed. A Postgres that was killed itself can leave a busy session, which blocks the next start.
 *
 * `postmaster.pid` stays: it protects the folder as long as a process uses it.
 */
export async function endLeftovers(dataFolders: readonly string[]): Promise<void> {
  const running = (): Process[] => processesOn(dataFolders);
  const sockets = dataFolders.flatMap((folder) => readPidFile(folder)?.socketFolder ?? []);
  for (const { pid, isPostmaster } of running()) if (isPostmaster) signal(pid, "SIGINT");
  for (let waited = 0; running().length > 0; waited += pollMs) {
    if (waited >= orderlyMs) for (const { pid } of running()) signal(pid, "SIGKILL");
    else if (running().every(({ isPostmaster }) => !isPostmaster))
      for (const { pid } of running()) signal(pid, "SIGQUIT");
    await sleep(systemClock, pollMs);
  }
  for (const folder of sockets) if (/\/np-\w+$/.test(folder)) await rm(folder, { recursive: true, force: true });
}

interface Process {
  readonly pid: number;
  readonly isPostmaster: boolean;
}

/** The processes that work in these folders. A process id alone is no proof: another program may have it by now. */
function processesOn(dataFolders: readonly string[]): Process[] {
  const postmasters = dataFolders.flatMap((folder) => readPidFile(folder)?.pid ?? []);
  if (process.platform !== "linux") {
    return postmasters
      .filter((pid) => dataFolders.some((folder) => commandOf(pid).includes(folder)))
      .map((pid) => ({ pid, isPostmaster: true }));
  }
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && dataFolders.includes(workingFolderOf(name)))
    .map((name) => ({ pid: Number(name), isPostmaster: postmasters.includes(Number(name)) }));
}

function workingFolderOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}

function commandOf(pid: number): string {
  try {
    return execFileSync("ps", ["-p", String(pid), "-o", "command="], { encoding: "utf8" });
  } catch {
    return "";
  }
}
