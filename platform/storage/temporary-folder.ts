import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Creates a folder whose name contains the id of this process. Removes such folders of processes that have ended.
 *
 * @param isAlive whether a process with an id exists
 */
export function temporaryFolder(prefix: string, isAlive: (pid: number) => boolean): string {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split("-")[0]) : NaN;
    if (!(pid > 0) || isAlive(pid)) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // The folder belongs to another user.
    }
  }
  return mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
}
