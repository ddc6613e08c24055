import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import type { Client } from "pg";

import { readControlFile, walFile } from "./control-file";
import type { Engine } from "./engine";
import { copyEntry, copyFolder } from "./folder";
import { InterruptedError } from "./interruption";
import type { Lsn } from "./lsn";
import type { Postmaster } from "./postmaster";

const historyFile = /^[0-9A-F]{8}\.history$/;
/** Files that belong to a running server, or that a start creates again. */
const omittedFiles = /^(postmaster\.(pid|opts)|.*\.signal|tablespace_map(\.old)?)$/;
/** Files that the copy of a running cluster needs until its first recovery has ended. */
const labelFiles = /^backup_label(\.old)?$/;
const emptiedFolders = [
  "pg_replslot",
  "pg_dynshmem",
  "pg_notify",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
];

/**
 * Copies a running or stopped cluster, and returns the position of its log up to which the copy is complete. The copy has each
 * commit that was acknowledged before, and no part of any other.
 */
export async function copyCluster(
  engine: Engine,
  dataFolder: string,
  running: Postmaster | undefined,
  to: string,
): Promise<Lsn> {
  if (running) return await copyRunning(engine, running, to);
  const { isShutDown } = await readControlFile(dataFolder);
  // A cluster that was killed has to recover first.
  if (!isShutDown) return await engine.within(dataFolder, (_admin, recovered) => copyRunning(engine, recovered, to));
  return await copyStopped(engine, dataFolder, to);
}

/**
 * Copies the files of a stopped cluster, without changing them. A cluster that was killed recovers when its copy starts. Returns
 * the position of the last checkpoint.
 *
 * @throws InterruptedError if the cluster was started meanwhile, so that the copy cannot be used
 */
export async function copyStopped(engine: Engine, dataFolder: string, to: string): Promise<Lsn> {
  const before = await readControlFile(dataFolder);
  const isUnrecovered = before.isFirstRecovery || existsSync(join(dataFolder, "backup_label"));
  const isOmitted = (path: string): boolean => omit(path) || (!isUnrecovered && labelFiles.test(path));
  await copyFolder(dataFolder, to, { user: engine.user, omit: isOmitted });
  await copyLog(engine, dataFolder, to, (name) => isUnrecovered || name >= before.firstWalFile);
  const after = await readControlFile(dataFolder);
  if (before.isShutDown !== after.isShutDown || before.checkpoint !== after.checkpoint) {
    throw new InterruptedError("the cluster was started while it was copied");
  }
  return before.checkpoint;
}

async function copyRunning(engine: Engine, running: Postmaster, to: string): Promise<Lsn> {
  // A backup ends with its session.
  const session = await running.connect();
  try {
    const isOld =
      Number((await session.query<{ v: string }>("SELECT current_setting('server_version_num') AS v")).rows[0]?.v) <
      150_000;
    await session.query(
      isOld ? "SELECT pg_start_backup('branch', true, false)" : "SELECT pg_backup_start('branch', true)",
    );
    const isOmitted = (path: string): boolean => omit(path) || labelFiles.test(path);
    await copyFolder(running.dataFolder, to, { user: engine.user, omit: isOmitted });
    const stop = isOld ? "SELECT * FROM pg_stop_backup(false, false)" : "SELECT * FROM pg_backup_stop(false)";
    const { lsn, labelfile } = (await session.query<{ lsn: Lsn; labelfile: string }>(stop)).rows[0] ?? nothing();
    await engine.write(join(to, "backup_label"), labelfile);
    const first = /file ([0-9A-F]{24})/.exec(labelfile)?.[1] ?? nothing();
    const last = await walFileAt(session, lsn);
    await copyLog(engine, running.dataFolder, to, (name) => name >= first && name <= last);
    return lsn;
  } finally {
    await session.end();
  }
}

/** Copies files of the write-ahead log, and the history files of its timelines. */
async function copyLog(engine: Engine, from: string, to: string, isNeeded: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(join(from, "pg_wal"))) {
    if (!historyFile.test(name) && !(walFile.test(name) && isNeeded(name))) continue;
    await copyEntry(join(from, "pg_wal", name), join(to, "pg_wal", name), engine.user);
  }
}

async function walFileAt(session: Client, lsn: Lsn): Promise<string> {
  const { rows } = await session.query<{ name: string }>("SELECT pg_walfile_name($1) AS name", [lsn]);
  return rows[0]?.name ?? nothing();
}

function omit(path: string): boolean {
  const [top = "", inner] = path.split(sep);
  if (top === "pg_wal") return inner !== undefined && !["archive_status", "summaries"].includes(inner);
  if (emptiedFolders.includes(top)) return inner !== undefined;
  const name = path.split(sep).at(-1) ?? "";
  return omittedFiles.test(name) || name.startsWith("pgsql_tmp") || name.startsWith("pg_internal.init");
}

function nothing(): never {
  throw new Error("Postgres has returned no row");
}
