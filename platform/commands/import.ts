import type { Command } from "commander";
import { chmodSync, existsSync, readdirSync } from "node:fs";
import { mkdtemp, open, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import { giveFolder } from "../postgres/folder";
import { postgresUser } from "../postgres/os-user";
import { makeFolder } from "../storage/make-folder";
import { startError } from "../storage/storage-error";
import { tar } from "./archive";
import { postgresFolderName, withStoppedPlatform } from "./data-folder";

/** `neon-platform import` */
export function addImportCommand(program: Command): void {
  program
    .command("import")
    .description("read the data of a platform from a file that `export` has written")
    .argument("<file>", "the file")
    .requiredOption("--data <folder>", "the data folder: a new or empty one")
    .action(async (file: string, { data }: { readonly data: string }) => {
      await readArchive(file, resolve(data));
    });
}

/** Reads an archive into a data folder, which gets its name when it is complete. */
async function readArchive(file: string, folder: string): Promise<void> {
  const archive = await open(file, "r");
  let unfinished: string | undefined;
  try {
    if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} is not empty`);
    makeFolder(dirname(folder));
    unfinished = await mkdtemp(`${folder}.`);
    await tar({ args: ["-xzf", "-", "--no-same-owner", "-C", unfinished], stdin: archive.fd });
    await withStoppedPlatform(unfinished, () => Promise.resolve());
    const user = postgresUser();
    const postgres = join(unfinished, postgresFolderName);
    if (user && existsSync(postgres)) {
      await giveFolder(postgres, user);
      // The user of Postgres has to pass through the folder.
      chmodSync(unfinished, 0o711);
    }
    await rm(folder, { recursive: true, force: true });
    await rename(unfinished, folder);
  } catch (error) {
    if (unfinished !== undefined) await rm(unfinished, { recursive: true, force: true });
    throw startError(error, folder);
  } finally {
    await archive.close();
  }
}
