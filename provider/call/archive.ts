import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { crc32 } from "node:zlib";

import { unzipSync, zipSync } from "fflate";

/** The files of an archive by name, with slashes as separators. */
export type Files = ReadonlyMap<string, Uint8Array>;

/** The limits that Neon publishes for the code of a function. */
const limits = { zippedMiB: 10, unpackedMiB: 64, entries: 4096 } as const;
const mebibyte = 1024 * 1024;

/** An archive cannot be used for its purpose. The message continues a sentence about the archive. */
export class ArchiveError extends Error {}

/** Counts the files and bytes that are read of an archive, and stops at the limits. */
export class ArchiveBudget {
  #entries = 0;
  #bytes = 0;

  /** @throws ArchiveError if this file exceeds a limit */
  take(bytes: number): void {
    this.#entries += 1;
    this.#bytes += bytes;
    if (this.#entries > limits.entries) throw new ArchiveError(`must not have more than ${limits.entries} files`);
    if (this.#bytes > limits.unpackedMiB * mebibyte) {
      throw new ArchiveError(`must not have more than ${limits.unpackedMiB} MiB unpacked`);
    }
  }
}

export interface FolderFile {
  /** The file's name in the archive. */
  readonly name: string;
  readonly path: string;
  readonly stats: Stats;
}

/** Folders that are skipped: the history of the sources, and Pulumi's own. */
const skipped: readonly string[] = [".git", ".pulumi"];
/** Files that usually hold secrets. Their examples are not among them. */
const secretFile = /(^|\/)\.(env(\.(?!example$|sample$|template$)[^/]+)?$|git\/)/;

/** The names of the files that usually hold secrets. */
export function secretFilesIn(files: Files): readonly string[] {
  return [...files.keys()].filter((name) => secretFile.test(name)).sort();
}

/**
 * All files in a folder, sorted by name. Links are followed within the folder.
 *
 * @throws ArchiveError if a link leads out of it
 */
export async function filesInFolder(folder: string, budget = new ArchiveBudget()): Promise<readonly FolderFile[]> {
  const files: FolderFile[] = [];
  const root = await realpath(folder);
  const visit = async (path: string, prefix: string, above: readonly string[]): Promise<void> => {
    const real = await realpath(path);
    if (above.includes(real)) return;
    const entries = await readdir(path, { withFileTypes: true });
    const links = new Set(entries.filter((entry) => entry.isSymbolicLink()).map((entry) => entry.name));
    for (const entry of entries.map(({ name }) => name).sort()) {
      if (skipped.includes(entry)) continue;
      const [inner, name] = [join(path, entry), prefix + entry];
      if (links.has(entry) && relative(root, await realpath(inner)).split(sep)[0] === "..") {
        throw new ArchiveError(`must not have a link that leads out of it: ${name}. Copy its target into the folder`);
      }
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
    const checksums = checksumsIn(bytes);
    const expected = new Map<string, { readonly size: number; readonly checksum: number | undefined }>();
    const all = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        expected.set(name, { size: originalSize, checksum: checksums.shift() });
        if (name.endsWith("/")) return false;
        budget.take(originalSize);
        return true;
      },
    });
    for (const [name, content] of Object.entries(all)) {
      const { size, checksum } = expected.get(name) ?? {};
      if (content.length !== size || crc32(content) !== checksum) {
        throw new ArchiveError(`is damaged: the size or the checksum of ${name} is wrong. Make the archive again`);
      }
      files.set(name, content);
    }
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError(`is no readable zip archive (${error instanceof Error ? error.message : String(error)})`);
  }
  return files;
}

/**
 * The checksums of the files in a zip archive, in the order of its directory. They are read here because the library
 * does not verify them.
 */
function checksumsIn(zip: Uint8Array): (number | undefined)[] {
  const bytes = Buffer.from(zip.buffer, zip.byteOffset, zip.length);
  const end = bytes.lastIndexOf("PK\x05\x06", undefined, "latin1");
  if (end < 0) return [];
  const checksums: number[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count -= 1) {
    checksums.push(bytes.readUInt32LE(at + 16));
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return checksums;
}

/** A hash of names and contents. Times, order and compression do not change it. */
export function hashOfFiles(files: Files): string {
  const entries = inOrder(files).map(([name, content]) => [name, sha256(content)]);
  return sha256(JSON.stringify(entries));
}

/** Packs files as a zip archive: equal files make equal archives. */
export function zipped(files: Files): Uint8Array {
  const entries = Object.fromEntries(inOrder(files));
  const bytes = zipSync(entries, { level: 6, mtime: new Date(1980, 0, 1) });
  if (bytes.length > limits.zippedMiB * mebibyte) {
    throw new ArchiveError(`must not have more than ${limits.zippedMiB} MiB zipped`);
  }
  return bytes;
}

/** Makes sure that the files can be the code of a function. */
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
