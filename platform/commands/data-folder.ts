import type { Command } from "commander";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";

import { objectsFolderName } from "../objects/files";
import { dataFoldersIn } from "../postgres/engine";
import { endLeftovers } from "../postgres/leftovers";
import { certificateFileName, keyFileName } from "../proxy/certificate-authority";
import { runningFileName } from "../storage/running-file";
import { databaseFileName, lockData } from "../storage/store";
import { vaultKeyFileName } from "../storage/vault";

/** Adds the option that names the data folder of a platform in the background. */
export function withData(command: Command): Command {
  return command.option("--data <folder>", "the data folder of the platform", ".neon-platform");
}

export const postgresFolderName = "postgres";

/** The names of the files and folders that a platform stores in its data folder. */
export const storedNames: readonly string[] = [
  databaseFileName,
  vaultKeyFileName,
  certificateFileName,
  keyFileName,
  postgresFolderName,
  objectsFolderName,
];

/** The folder of what `neon-platform run` stores: its key, and a backend of Pulumi. */
export const runFolderName = "run";

/** The names of the other files there: those that a killed platform leaves, and the folder of `run`. */
const leftoverNames: readonly string[] = [
  runFolderName,
  runningFileName,
  `${databaseFileName}-wal`,
  `${databaseFileName}-journal`,
];

/**
 * Does work with a data folder while no platform can start on it.
 *
 * @throws Error if the folder is not a data folder, or if a platform runs on it
 */
export async function withStoppedPlatform<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  assertDataFolder(folder);
  const unlock = lockData(folder);
  try {
    // A Postgres that was killed may have left a session.
    await endLeftovers(dataFoldersIn(join(folder, postgresFolderName)));
    return await work();
  } finally {
    unlock();
  }
}

/** @throws Error if no platform has stored anything in the folder */
export function assertDataFolder(folder: string): void {
  if (!existsSync(join(folder, databaseFileName))) throw new Error(`${folder} is not the data folder of a platform`);
}

/** Removes everything that a platform has stored in a folder, and nothing else. */
export async function emptyDataFolder(folder: string): Promise<void> {
  const remove = (names: readonly string[]): Promise<unknown> =>
    Promise.all(names.map((name) => rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 })));
  // Remove the locked file last.
  await withStoppedPlatform(folder, () => remove(storedNames.filter((name) => name !== databaseFileName)));
  await remove([databaseFileName, ...leftoverNames]);
}
