import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { formatLsn, type Lsn } from "./lsn";

/** The content of a cluster's `global/pg_control`. The layout of these members has been the same since Postgres 9.6. */
export interface ControlFile {
  /** Whether the cluster was shut down in order, so that its files can be copied as they are. */
  readonly isShutDown: boolean;
  /** Whether the cluster is a copy of a running one whose first recovery has begun and has not ended. */
  readonly isFirstRecovery: boolean;
  /** The position of the last checkpoint. */
  readonly checkpoint: Lsn;
  /** The position from which the cluster reads its log when it starts. */
  readonly redo: Lsn;
  /** The first file of the write-ahead log that the cluster needs when it starts. */
  readonly firstWalFile: string;
}

const shutDown = [1, 2];
/** The name of a file of the write-ahead log: its timeline and its number. */
export const walFile = /^[0-9A-F]{24}$/;
/** The segment size that the platform's templates have. */
export const walSegmentBytes = 1n << 20n;

export async function readControlFile(dataFolder: string): Promise<ControlFile> {
  const bytes = await readFile(join(dataFolder, "global", "pg_control"));
  const redo = bytes.readBigUInt64LE(40);
  const timeline = bytes.readUInt32LE(48);
  // The start of the log of the backup from which the cluster recovers.
  const isFirstRecovery = bytes.readBigUInt64LE(152) > 0n;
  return {
    // A recovery that was stopped in order also counts as a shutdown.
    isShutDown: shutDown.includes(bytes.readUInt32LE(16)) && !isFirstRecovery,
    isFirstRecovery,
    checkpoint: formatLsn(bytes.readBigUInt64LE(32)),
    redo: formatLsn(redo),
    firstWalFile: walFileName(timeline, redo),
  };
}

function walFileName(timeline: number, position: bigint): string {
  const segment = position / walSegmentBytes;
  const perFile = (1n << 32n) / walSegmentBytes;
  const hex = (value: bigint): string => value.toString(16).toUpperCase().padStart(8, "0");
  return hex(BigInt(timeline)) + hex(segment / perFile) + hex(segment % perFile);
}
