import type { Command } from "commander";
import { existsSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";

import { tar } from "./archive";
import { postgresFolderName, storedNames, withStoppedPlatform } from "./data-folder";

/** Files that another machine makes from its own Postgres, and files of a process. */
const omitted = ["binaries", "libraries", "templates"].map((name) => `${postgresFolderName}/${name}`);
const excludes = [...omitted, "postmaster.pid", "postmaster.opts"].map((pattern) => `--exclude=${pattern}`);

/** `neon-platform export` */
export function addExportCommand(program: Command): void {
  program
    .command("export")
    .description("write the data of a stopped platform to a file (.tar.gz), with its keys")
    .argument("<file>", "a new file")
    .requiredOption("--data <folder>", "the data folder")
    .action(async (file: string, { data }: { readonly data: string }) => {
      await withStoppedPlatform(data, () => writeArchive(file, data));
    });
}

/** Writes an archive that only this user can read, because its keys decrypt the passwords in it. */
async function writeArchive(file: string, folder: string): Promise<void> {
  const archive = await open(file, "wx", 0o600);
  try {
    const names = storedNames.filter((name) => existsSync(join(folder, name)));
    await tar({ args: ["-czf", "-", "-C", folder, ...excludes, ...names], stdout: archive.fd });
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await archive.close();
  }
}
