import { execFileSync } from "node:child_process";

/** Mebibytes that a process has in memory. */
export function memoryOf(pid: number): number {
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024;
}
