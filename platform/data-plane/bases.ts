import { existsSync } from "node:fs";
import { readdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";

import { unprocessable } from "../http-error";
import type { Moment } from "../model/branches/data-origin";
import { InterruptedError } from "../postgres/interruption";
import { readControlFile } from "../postgres/control-file";
import { removeFolder } from "../postgres/folder";
import { formatLsn, type Lsn, parseLsn } from "../postgres/lsn";

/** A copy of a branch from which later points of its history are recovered. */
export interface Base {
  readonly folder: string;
  /** The first position that can be recovered from the base. */
  readonly lsn: Lsn;
  /**
   * The first time that can be recovered from the base, in whole seconds since 1970; undefined for the
   * copy from the beginning of the branch.
   */
  readonly since: number | undefined;
}

/** The copy from the beginning of a branch. */
export const firstBase = "base";
/** A base that is being copied. */
export const unfinishedBase = `${firstBase}.new`;
/** Data that is being copied from a base. */
export const unfinishedData = "data.new";
/** The name of a later base contains its position and its time, so that the base never exists without them. */
const laterBase = /^base-([0-9A-F]{16})-(\d+)$/;
const removedBase = /^base.*\.old$/;

export const laterBaseName = (lsn: Lsn, since: number): string =>
  `${firstBase}-${parseLsn(lsn).toString(16).toUpperCase().padStart(16, "0")}-${since}`;

/** The bases in the folder of a branch, oldest first. */
export async function basesIn(branchFolder: string): Promise<Base[]> {
  const bases: Base[] = [];
  for (const name of (await readdir(branchFolder)).sort()) {
    const folder = join(branchFolder, name);
    const later = laterBase.exec(name);
    if (later) bases.push({ folder, lsn: formatLsn(BigInt(`0x${later[1] ?? ""}`)), since: Number(later[2]) });
    else if (name === firstBase) {
      bases.push({ folder, lsn: (await readControlFile(folder)).checkpoint, since: undefined });
    }
  }
  return bases;
}

/**
 * The latest base that a moment can be recovered from.
 *
 * @throws HttpError 422 if there is none
 */
export async function baseFor(branchFolder: string, moment: Moment): Promise<Base> {
  const bases = await basesIn(branchFolder);
  const isEarlier = ({ lsn, since = 0 }: Base): boolean =>
    "lsn" in moment ? parseLsn(lsn) <= parseLsn(moment.lsn) : since * 1000 <= Date.parse(moment.time);
  const base = bases.findLast(isEarlier) ?? bases.find(({ since }) => since === undefined);
  if (!base) throw unprocessable("the moment is before the start of the history");
  return base;
}

/** The first position of the log that a recovery from a base reads. */
export async function startOfLog({ folder }: Base): Promise<Lsn> {
  const label = join(folder, "backup_label");
  if (!existsSync(label)) return (await readControlFile(folder)).redo;
  const start = /^START WAL LOCATION: ([0-9A-F]+\/[0-9A-F]+) /m.exec(await readFile(label, "utf8"))?.[1];
  if (start === undefined) throw new InterruptedError(`${label} names no position`);
  return start;
}

/** Removes a base. Renames it first, so that a kill leaves no partial base. */
export async function removeBase({ folder }: Base): Promise<void> {
  const removed = `${folder}.old`;
  await removeFolder(removed);
  await rename(folder, removed);
  await removeFolder(removed);
}

/** Removes the unfinished copies that a killed platform has left in the folder of a branch. */
export async function removeUnfinished(branchFolder: string): Promise<void> {
  for (const name of await readdir(branchFolder)) {
    const isUnfinished = name === unfinishedBase || name === unfinishedData;
    if (isUnfinished || removedBase.test(name)) await removeFolder(join(branchFolder, name));
  }
}
