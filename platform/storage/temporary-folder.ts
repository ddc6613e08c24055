import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Creates a folder whose name says which process it belongs to, and removes those of processes of this user that have ended.
 *
 * @param isAlive whether there is a process
 */
export function temporaryFolder(prefix: string, isAlive: (pid: number) => boolean): string {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split("-")[0]) : NaN;
    if (!(pid > 0) || isAlive(pid)) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // Another user's.
    }
  }
  return mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
}
