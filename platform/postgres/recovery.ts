import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import type { Engine } from "./engine";
import { copyFolder } from "./folder";
import type { Lsn } from "./lsn";

/** A moment in the history of a cluster: just before a position of its log, or just after all commits up to a time. */
export type RecoveryTarget = { readonly lsn: Lsn } | { readonly time: string };

/**
 * Builds a cluster as it was at an earlier moment, exact to the commit. Returns the position at which
 * the log of the new cluster ends.
 *
 * @param base a copy of the cluster from before that moment
 * @param logFolders the folders with the cluster's write-ahead log since then, newest first; the log must have a commit after the
 *   moment
 * @throws Error with the message of Postgres if the moment is not in the log
 */
export async function recoverTo(
  engine: Engine,
  base: string,
  logFolders: readonly string[],
  moment: RecoveryTarget,
  to: string,
): Promise<Lsn> {
  await copyFolder(base, to, engine);
  await engine.write(join(to, "recovery.signal"), "");
  const target =
    "lsn" in moment
      ? // Exclusive, because one more record could be a commit.
        { recovery_target_lsn: moment.lsn, recovery_target_inclusive: "off" }
      : { recovery_target_time: moment.time };
  const running = await engine.start(
    to,
    {},
    {
      ...target,
      restore_command: restoreCommand(...logFolders),
      recovery_target_action: "promote",
      recovery_target_timeline: "latest",
      // With hot standby, a recovery is refused if settings are smaller than those of the copied cluster.
      hot_standby: "off",
    },
  );
  await running.stop();
  return await endOfRecovery(to);
}

/** The position of the switch to the newest timeline, from its history file: `1<tab>0/B2C040<tab>before 2026-…`. */
async function endOfRecovery(dataFolder: string): Promise<Lsn> {
  const folder = join(dataFolder, "pg_wal");
  const newest = (await readdir(folder))
    .filter((name) => name.endsWith(".history"))
    .sort()
    .at(-1);
  const lines = newest === undefined ? [] : (await readFile(join(folder, newest), "utf8")).trim().split("\n");
  const lsn = lines.at(-1)?.split("\t")[1];
  if (lsn === undefined) throw new Error("Postgres has recovered without a new timeline");
  return lsn;
}

/** A time in the only form that `recovery_target_time` accepts, with microseconds. */
export function recoveryTime(timestamp: string): string {
  const microseconds = /\.(\d+)/.exec(timestamp)?.[1]?.padEnd(6, "0").slice(0, 6) ?? "000000";
  const seconds = new Date(Date.parse(timestamp)).toISOString().slice(0, 19).replace("T", " ");
  return `${seconds}.${microseconds}+00`;
}

/** The command that fetches a file of the log from the first folder that has it. */
export const restoreCommand = (...logFolders: readonly string[]): string =>
  logFolders.map((folder) => `cp ${shellQuoted(folder.replaceAll("%", "%%"))}/%f "%p"`).join(" || ");

const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
