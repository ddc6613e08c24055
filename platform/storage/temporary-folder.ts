import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
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
      makeRemovable(join(tmpdir(), name));
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // The folder belongs to another user.
    }
  }
  return mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
}

/** Makes all folders below a folder writable. The content of a read-only folder cannot be removed, except by root. */
export function makeRemovable(folder: string): void {
  if (!existsSync(folder)) return;
  for (const each of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (each.isDirectory()) chmodSync(join(each.parentPath, each.name), 0o700);
}
