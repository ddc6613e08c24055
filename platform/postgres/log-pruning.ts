import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";

import { sleep, systemClock } from "../clock";
import { walFile, walSegmentBytes } from "./control-file";
import { InterruptedError } from "./interruption";
import { type Lsn, parseLsn } from "./lsn";
import { ownSettings } from "./own-settings";
import { type Admin, adminRole, type Postmaster } from "./postmaster";
import { keptLog } from "./settings";

/** The replication slot. It exists only while a log is pruned, or if the cluster was killed meanwhile. */
const slotName = "neon_platform_history";

const pollMs = 2;
const patienceMs = 10_000;
/** The length of a standby status update: a byte, four positions or times, and a byte. */
const statusBytes = 34;

/** The bytes of the log files before a position. */
export async function logBefore(dataFolder: string, position: Lsn): Promise<number> {
  const files = (await readdir(join(dataFolder, "pg_wal"))).filter((name) => walFile.test(name));
  const first = parseLsn(position) / walSegmentBytes;
  const isBefore = (name: string): boolean => segmentOf(name) < first;
  return files.filter(isBefore).length * Number(walSegmentBytes);
}

/** Whether a pruning was interrupted, so that Postgres still has its replication slot. */
async function isPruningInterrupted(dataFolder: string): Promise<boolean> {
  return (await readdir(join(dataFolder, "pg_replslot"))).includes(slotName);
}

export async function endOfLog(running: Postmaster): Promise<Lsn> {
  const admin = await running.admin();
  const { rows } = await admin.query<{ lsn: Lsn }>("SELECT pg_current_wal_flush_lsn() AS lsn");
  const lsn = rows[0]?.lsn;
  if (lsn === undefined) throw new Error("Postgres has returned no row");
  return lsn;
}

/** The first position of the log that other replication slots need. */
export async function neededBySlots(running: Postmaster): Promise<Lsn | undefined> {
  const admin = await running.admin();
  const { rows } = await admin.query<{ lsn: Lsn | null }>(
    "SELECT min(restart_lsn) AS lsn FROM pg_replication_slots WHERE slot_name <> $1",
    [slotName],
  );
  return rows[0]?.lsn ?? undefined;
}

/** The position up to which a replica has applied the log of its primary. */
export async function appliedBy(replica: Postmaster): Promise<Lsn | undefined> {
  const admin = await replica.admin();
  const { rows } = await admin.query<{ lsn: Lsn | null }>("SELECT pg_last_wal_replay_lsn() AS lsn");
  return rows[0]?.lsn ?? undefined;
}

/**
 * Lets Postgres remove the log files before a position, and none after it.
 *
 * Postgres measures `wal_keep_size` from the end of its log, which moves while others write. A replication slot therefore holds
 * the needed log meanwhile. The slot is on disk before the setting is lowered, so a kill at any moment loses no log.
 */
export async function pruneLog(running: Postmaster, position: Lsn): Promise<void> {
  await endPruning(running);
  const admin = await running.connect();
  try {
    const { rows } = await admin.query<{ limit: string }>("SELECT current_setting('max_slot_wal_keep_size') AS limit");
    // With a limit, a slot may lose the log that it holds.
    if (rows[0]?.limit !== "-1") return;
    const holder = await holdLog(running, admin, position);
    try {
      // A checkpoint writes the slot to disk.
      await admin.query("CHECKPOINT");
      await keepLog(admin, "0");
      await admin.query("CHECKPOINT");
      await keepLog(admin, keptLog);
      await admin.query("CHECKPOINT");
    } finally {
      holder.connection.stream.destroy();
    }
  } finally {
    await admin.end();
  }
  await endPruning(running);
}

/** Ends a pruning, so that all log is kept again. Does nothing if there is no pruning to end. */
export async function endPruning(running: Postmaster): Promise<void> {
  if (!(await isPruningInterrupted(running.dataFolder))) return;
  const admin = await running.admin();
  await keepLog(admin, keptLog);
  await admin.query("CHECKPOINT");
  await eventually(async () => {
    const { rows } = await admin.query<{ active: boolean }>(
      "SELECT active FROM pg_replication_slots WHERE slot_name = $1",
      [slotName],
    );
    return rows[0]?.active !== true;
  });
  await admin.query("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1", [
    slotName,
  ]);
}

/**
 * Holds the log from an earlier position on. SQL can only create slots that hold the log from now on. A slot holds the log that
 * its standby has not received, so this acts as a standby that has received nothing after the position.
 */
async function holdLog(running: Postmaster, admin: Admin, position: Lsn): Promise<ReplicationClient> {
  const options = { ...ownSettings, host: running.socketFolder, port: 5432, user: adminRole, database: "postgres" };
  const holder = new Client({ ...options, replication: "true" } as object) as ReplicationClient;
  // If the session ends, the slot does not reach its position, which the check below notices.
  holder.on("error", () => undefined);
  await holder.connect();
  await holder.query(`CREATE_REPLICATION_SLOT ${slotName} PHYSICAL`);
  const end = await endOfLog(running);
  let isStreaming = false;
  holder.connection.once("replicationStart", () => (isStreaming = true));
  holder.query(`START_REPLICATION SLOT ${slotName} PHYSICAL ${end}`).catch(() => undefined);
  await eventually(() => isStreaming);
  holder.connection.sendCopyFromChunk(standbyStatus({ written: end, flushed: position }));
  await eventually(async () => {
    const held = await admin.query("SELECT FROM pg_replication_slots WHERE slot_name = $1 AND restart_lsn = $2", [
      slotName,
      position,
    ]);
    return held.rowCount === 1;
  });
  return holder;
}

/** A session that speaks the replication protocol, for which `pg` has no types. */
type ReplicationClient = Client & {
  readonly connection: {
    readonly stream: { destroy(): void };
    once(event: "replicationStart", listener: () => void): void;
    sendCopyFromChunk(chunk: Buffer): void;
  };
};

/** The message `Standby status update` of the replication protocol. */
function standbyStatus({ written, flushed }: { readonly written: Lsn; readonly flushed: Lsn }): Buffer {
  const message = Buffer.alloc(statusBytes);
  message.write("r");
  for (const [index, lsn] of [written, flushed, flushed].entries()) {
    message.writeBigUInt64BE(parseLsn(lsn), 1 + 8 * index);
  }
  return message;
}

/** Sets how much log is kept, and waits until the processes of Postgres have the new setting. */
async function keepLog(admin: Admin, size: string): Promise<void> {
  await admin.query(`ALTER SYSTEM SET wal_keep_size = '${size}'`);
  await admin.query("SELECT pg_reload_conf()");
  await eventually(async () => {
    const { rows } = await admin.query(
      "SELECT WHERE pg_size_bytes(current_setting('wal_keep_size')) = pg_size_bytes($1)",
      [size],
    );
    return rows.length === 1;
  });
}

/**
 * Waits until a condition is true.
 *
 * @throws InterruptedError if that takes too long
 */
async function eventually(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await isTrue()); waited += pollMs) {
    if (waited >= patienceMs) throw new InterruptedError("Postgres does not prune its log");
    await sleep(systemClock, pollMs);
  }
}

function segmentOf(name: string): bigint {
  const perFile = (1n << 32n) / walSegmentBytes;
  return BigInt(`0x${name.slice(8, 16)}`) * perFile + BigInt(`0x${name.slice(16)}`);
}
