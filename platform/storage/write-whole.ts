import { renameSync, rmSync, type WriteFileOptions, writeFileSync } from "node:fs";

/** Writes a file so that it is never seen half written. */
export function writeWhole(file: string, content: string | Uint8Array, options: WriteFileOptions): void {
  const unfinished = `${file}.new`;
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, content, options);
  renameSync(unfinished, file);
}
