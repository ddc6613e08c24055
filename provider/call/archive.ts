import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";

import { unzipSync, zipSync } from "fflate";

/** The files of an archive by their names, with slashes. */
export type Files = ReadonlyMap<string, Uint8Array>;

/** The limits that Neon publishes for the code of a function. */
const limits = { zippedMiB: 10, unpackedMiB: 64, entries: 4096 } as const;
const mebibyte = 1024 * 1024;

/** An archive that cannot be what it is passed for. The message continues a sentence about it. */
export class ArchiveError extends Error {}

/** Counts what is read of an archive, and ends it at the limits. */
export class ArchiveBudget {
  #entries = 0;
  #bytes = 0;

  /** @throws ArchiveError if one more file is too much */
  take(bytes: number): void {
    this.#entries += 1;
    this.#bytes += bytes;
    if (this.#entries > limits.entries) throw new ArchiveError(`must not have more than ${limits.entries} files`);
    if (this.#bytes > limits.unpackedMiB * mebibyte) {
      throw new ArchiveError(`must not have more than ${limits.unpackedMiB} MiB unpacked`);
    }
  }
}

/** A file in a folder. */
export interface FolderFile {
  /** Its name in the archive. */
  readonly name: string;
  readonly path: string;
  readonly stats: Stats;
}

/** All files in a folder, in the order of their names. Links are followed. Pulumi's own folder is none of them. */
export async function filesInFolder(folder: string, budget = new ArchiveBudget()): Promise<readonly FolderFile[]> {
  const files: FolderFile[] = [];
  const visit = async (path: string, prefix: string, above: readonly string[]): Promise<void> => {
    const real = await realpath(path);
    if (above.includes(real)) return;
    for (const entry of (await readdir(path)).sort()) {
      if (entry === ".pulumi") continue;
      const [inner, name] = [join(path, entry), prefix + entry];
      const stats = await stat(inner);
      if (stats.isDirectory()) {
        await visit(inner, `${name}/`, [...above, real]);
      } else if (stats.isFile()) {
        budget.take(stats.size);
        files.push({ name, path: inner, stats });
      }
    }
  };
  await visit(folder, "", []);
  return files;
}

/** The files in a zip archive. */
export function unzipped(bytes: Uint8Array, budget = new ArchiveBudget()): Files {
  const files = new Map<string, Uint8Array>();
  try {
    const all = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (name.endsWith("/")) return false;
        budget.take(originalSize);
        return true;
      },
    });
    for (const [name, content] of Object.entries(all)) files.set(name, content);
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError(`is no readable zip archive (${error instanceof Error ? error.message : String(error)})`);
  }
  return files;
}

/** Equal exactly if names and contents of all files are: times, order, and how they were packed do not count. */
export function hashOfFiles(files: Files): string {
  const entries = inOrder(files).map(([name, content]) => [name, sha256(content)]);
  return sha256(JSON.stringify(entries));
}

/** The files as a zip archive: equal files make equal archives. */
export function zipped(files: Files): Uint8Array {
  const entries = Object.fromEntries(inOrder(files));
  const bytes = zipSync(entries, { level: 6, mtime: new Date(1980, 0, 1) });
  if (bytes.length > limits.zippedMiB * mebibyte) {
    throw new ArchiveError(`must not have more than ${limits.zippedMiB} MiB zipped`);
  }
  return bytes;
}

/** What is wrong with the files as the code of a function. */
export function assertRunnable(files: Files): void {
  const outside = [...files.keys()].find((name) => name.startsWith("/") || name.split("/").includes(".."));
  if (outside !== undefined) throw new ArchiveError(`has a file outside of it: ${outside}`);
  if (!["index.mjs", "index.js"].some((entry) => files.has(entry))) {
    throw new ArchiveError("must have index.mjs or index.js at its root: that is what Neon runs");
  }
}

function inOrder(files: Files): readonly (readonly [name: string, content: Uint8Array])[] {
  return [...files].sort(([one], [other]) => (one < other ? -1 : 1));
}

function sha256(content: Uint8Array | string): string {
  return createHash("sha256").update(content).digest("hex");
}
