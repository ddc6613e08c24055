import { readFileSync } from "node:fs";

/** Mebibytes in memory of a process, now and at most so far. Linux only. */
export function memoryOf(pid: number): { readonly now: number; readonly most: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const kibibytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1] ?? NaN);
  return { now: kibibytes("VmRSS") / 1024, most: kibibytes("VmHWM") / 1024 };
}

/** CPU milliseconds that a process has used so far. Linux only. */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  // The kernel counts in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Bytes that a process has read so far, from files and pipes. Linux only. */
export function readBy(pid: number): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1] ?? NaN);
}
