import { readdirSync, readFileSync } from "node:fs";

/**
 * The bytes of memory of a Postgres with all its sessions. Shared memory counts once.
 *
 * @returns undefined if they are unknown: only Linux reports them, to root and to the user of the processes
 */
export function memoryOf(postmaster: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  const sizes = [String(postmaster), ...childrenOf(postmaster)].map(proportionalSize);
  // If the postmaster can be read, so can the others. A session may end meanwhile.
  return sizes[0] === undefined ? undefined : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
}

function childrenOf(pid: number): string[] {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
}

function parentOf(pid: string): number | undefined {
  // The second field of the file is the name of the program, in parentheses.
  const fields = read(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, "")
    .split(" ");
  return fields && Number(fields[1]);
}

function proportionalSize(pid: string): number | undefined {
  const kilobytes = /^Pss: +(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`) ?? "")?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
