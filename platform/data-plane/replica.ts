import { existsSync } from "node:fs";
import { readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";

import { copyCluster } from "../postgres/cluster-copy";
import type { Engine } from "../postgres/engine";
import { building, makeFolder, removeFolder } from "../postgres/folder";
import { adminRole, type Postmaster } from "../postgres/postmaster";
import { restoreCommand } from "../postgres/recovery";
import type { Settings } from "../postgres/settings";

/** The cluster that a read replica follows. */
export interface Primary {
  readonly dataFolder: string;
  /** Undefined while the primary is suspended: the replica then serves the data that it has. */
  readonly running: Postmaster | undefined;
}

/** Builds the data folder of a read replica as a copy of its primary, unless it exists, and lets the replica follow its primary. */
export async function prepareReplica(engine: Engine, primary: Primary, dataFolder: string): Promise<void> {
  if (!existsSync(dataFolder)) {
    const unfinished = `${dataFolder}.new`;
    await makeFolder(dirname(dataFolder), engine.user);
    await removeFolder(unfinished);
    await building(unfinished, async () => {
      await copyCluster(engine, primary.dataFolder, primary.running, unfinished);
      await engine.write(join(unfinished, "standby.signal"), "");
    });
    await rename(unfinished, dataFolder);
  }
  await followPrimary(engine, primary, dataFolder);
}

/**
 * Writes into a replica how to follow its primary: by the primary's socket, which is new at each start,
 * and by its log while it is suspended.
 */
export async function followPrimary(
  engine: Engine,
  { dataFolder: from, running }: Primary,
  dataFolder: string,
): Promise<void> {
  const own = await readFile(join(from, "postgresql.conf"), "utf8");
  const connection = running ? `host=${running.socketFolder} user=${adminRole}` : "";
  await engine.write(
    join(dataFolder, "postgresql.conf"),
    `${own}\nprimary_conninfo = '${connection}'\n` +
      `restore_command = '${restoreCommand(join(from, "pg_wal")).replaceAll("'", "''")}'\n`,
  );
}

/** Settings that must not be smaller on a replica than on its primary. */
const atLeast = [
  "max_connections",
  "max_worker_processes",
  "max_wal_senders",
  "max_prepared_transactions",
  "max_locks_per_transaction",
];

/** The settings of a replica, raised to those of its primary where Postgres requires that. */
export function replicaSettings(own: Settings, primary: Settings): Settings {
  const raised = atLeast
    .filter((name) => primary[name] !== undefined)
    .map((name) => [name, Math.max(Number(own[name] ?? 0), Number(primary[name]))] as const);
  return { ...own, ...Object.fromEntries(raised) };
}
