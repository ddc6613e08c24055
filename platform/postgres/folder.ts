import { chownSync, constants, copyFileSync, lstatSync } from "node:fs";
import { access, chown, copyFile, lchown, lstat, mkdir, readdir, rm, symlink, readlink } from "node:fs/promises";
import { dirname, join } from "node:path";

import { othersTurn } from "../clock";
import type { OsUser } from "./os-user";

/** The number of files that are copied at the same time. More would be slower, because Node has four threads for them. */
const lanes = 4;
/** The largest file whose copy takes less time than handing it to another thread. */
const smallBytes = 128 * 1024;
/** How many small files are copied in a row. This blocks the event loop for about one millisecond. */
const filesInRow = 32;
/** The unit in which the system counts the space of a file on disk. */
const blockBytes = 512;

interface CopyOptions {
  /** The owner of the copy. */
  readonly user: OsUser | undefined;
  /** Whether to leave out a file or folder. The path is relative to the copied folder. */
  readonly omit?: (path: string) => boolean;
}

/**
 * Copies a folder, by reference where the file system can (Btrfs, XFS, APFS). Files that disappear meanwhile are left out. Only
 * the owner of the copy has access to it.
 */
export async function copyFolder(from: string, to: string, { user, omit = () => false }: CopyOptions): Promise<void> {
  const files: string[] = [];
  const walk = async (path: string): Promise<void> => {
    await makeFolder(join(to, path), user);
    for (const entry of await entriesOf(join(from, path))) {
      const inner = join(path, entry.name);
      if (omit(inner)) continue;
      if (entry.isDirectory()) await walk(inner);
      else if (entry.isSymbolicLink()) await symlink(await readlink(join(from, inner)), join(to, inner));
      else files.push(inner);
    }
  };
  await walk("");
  const large: string[] = [];
  for (const [index, file] of files.entries()) {
    if (!isSmallCopied(join(from, file), join(to, file), user)) large.push(file);
    if (index % filesInRow === filesInRow - 1) await othersTurn();
  }
  const queue = large.values();
  let isFailed = false;
  const copyNext = async (): Promise<void> => {
    for (const file of queue) {
      if (isFailed) return;
      try {
        await copyEntry(join(from, file), join(to, file), user);
      } catch (error) {
        isFailed = true;
        throw error;
      }
    }
  };
  // Wait for all lanes: after a failure nothing may be written any more, so that the copy can be removed.
  const ends = await Promise.allSettled(Array.from({ length: lanes }, copyNext));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}

/** Copies a small file synchronously. Returns false if {@link copyEntry} has to: it is large, not a file, or has disappeared. */
function isSmallCopied(from: string, to: string, user: OsUser | undefined): boolean {
  try {
    const status = lstatSync(from);
    if (!status.isFile() || status.size > smallBytes) return false;
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
    if (user) chownSync(to, user.uid, user.gid);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

/** Copies a file, unless it has disappeared. */
export async function copyEntry(from: string, to: string, user: OsUser | undefined): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    if (user) await chown(to, user.uid, user.gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    // Fails if the folder of the copy has disappeared, and not the file.
    await access(dirname(to));
  }
}

/** Does work that builds a folder. Removes the folder if the work fails, so that it takes no space. */
export async function building<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await removeFolder(folder).catch(() => undefined);
    throw error;
  }
}

/**
 * Creates a folder that only its owner can enter, unless it exists. The folder above it is not created: if it is missing,
 * somebody has moved it, and another one in its place would be in the way.
 */
export async function makeFolder(path: string, user: OsUser | undefined): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  if (user) await chown(path, user.uid, user.gid);
}

export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Gives a folder, with everything in it, to a user. */
export async function giveFolder(path: string, { uid, gid }: OsUser): Promise<void> {
  await lchown(path, uid, gid);
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    await lchown(join(entry.parentPath, entry.name), uid, gid);
  }
}

/** The bytes that a folder takes on disk; undefined if this user cannot read it. */
export async function diskUsage(path: string): Promise<number | undefined> {
  try {
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    const sizes = entries.map(async (entry) => {
      const file = await lstat(join(entry.parentPath, entry.name)).catch(() => undefined);
      return (file?.blocks ?? 0) * blockBytes;
    });
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  } catch {
    return undefined;
  }
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
