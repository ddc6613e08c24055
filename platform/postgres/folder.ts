import { chownSync, constants, copyFileSync, lstatSync } from "node:fs";
import { access, chown, copyFile, lchown, lstat, mkdir, readdir, rm, symlink, readlink } from "node:fs/promises";
import { dirname, join } from "node:path";

import { othersTurn } from "../clock";
import type { OsUser } from "./os-user";

/** What the file system does at the same time. More is slower: Node has four threads for it. */
const lanes = 4;
/** A file of this size is copied in less time than it takes to hand it to another thread and hear of its end. */
const smallBytes = 128 * 1024;
/** How many small files are copied in a row: about one millisecond, in which nothing else is done. */
const filesInRow = 32;
/** The unit in which a file says how much of the disk it takes. */
const blockBytes = 512;

interface CopyOptions {
  /** The owner of the copy. */
  readonly user: OsUser | undefined;
  /** Whether to leave out a file or folder; paths are relative to the copied folder. */
  readonly omit?: (path: string) => boolean;
}

/**
 * Copies a folder, by reference where the file system can (Btrfs, XFS, APFS). Files that disappear meanwhile are left out.
 * Everything in the copy is accessible to its owner only.
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
  // After a failure nothing is written any more, so that the copy can be removed.
  const ends = await Promise.allSettled(Array.from({ length: lanes }, copyNext));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}

/** Copies a small file at once; false if it is left to {@link copyEntry}: it is large, no file, or has disappeared. */
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
    // It is the copy's folder that has disappeared.
    await access(dirname(to));
  }
}

/** Does work that builds a folder, and removes the folder if it fails, so that it takes no space. */
export async function building<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await removeFolder(folder).catch(() => undefined);
    throw error;
  }
}

/**
 * Makes a folder that only its owner can enter, unless it exists. The folder above it is not made: it exists, unless somebody
 * has moved it, and then another one in its place would be in the way.
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

/** The bytes that a folder takes on the disk; undefined if this user cannot read it. */
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
