import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { basename, delimiter, dirname, join } from "node:path";

import { readControlFile } from "./control-file";
import { building, copyFolder, makeFolder, removeFolder } from "./folder";
import { binaryIn, type Installation } from "./installation";
import { canEnter, type OsUser, postgresUser, runAs } from "./os-user";
import { type Admin, adminRole, Postmaster } from "./postmaster";
import { checkSettings, configuration, platformSettings, type Settings } from "./settings";
import { TemplateCache } from "./template-cache";
import { databasePreparationOf, firstDatabases, preparationOf } from "./template-sql";

/** Raise the version when the contents of a template change, because releases share the cache. */
const templateVersion = 2;

/** The log of the cluster in the folder `data`, next to that folder. */
export const logFileName = "data.log";

/** Runs the Postgres clusters whose files are below one folder. */
export class Engine {
  /** The folder belongs to the user that Postgres runs as. Nobody else can read it. */
  readonly root: string;
  readonly user: OsUser | undefined;
  readonly #installations: ReadonlyMap<number, Installation>;
  readonly #prepared = new Map<number, Promise<Prepared>>();
  readonly #templates = new Map<number, Promise<string>>();
  readonly #cache = new TemplateCache();

  /** @throws Error if the user that Postgres runs as cannot enter the folder. */
  constructor(root: string, installations: readonly Installation[]) {
    this.user = postgresUser();
    mkdirSync(root, { recursive: true, mode: 0o700 });
    // Postgres and `/proc` name a folder by its real path.
    this.root = realpathSync(root);
    if (this.user) giveAway(this.root, this.user);
    this.#installations = new Map(installations.map((each) => [each.major, each]));
  }

  /** @throws Error if the installation of a major version does not run here. */
  async check(major: number): Promise<void> {
    await this.#prepare(major);
  }

  /** Creates a data folder with an empty cluster. */
  async create(major: number, dataFolder: string): Promise<void> {
    await copyFolder(await this.#template(major), dataFolder, this);
  }

  /**
   * Starts the cluster of a data folder.
   *
   * @param settings the settings of the compute; default: those of its last run
   * @param once settings for this run only
   * @throws Error with the message of Postgres if it does not start
   */
  async start(
    dataFolder: string,
    settings?: Settings,
    once: Readonly<Record<string, string>> = {},
  ): Promise<Postmaster> {
    const major = await majorOf(dataFolder);
    const { installation, environment } = await this.#prepare(major);
    if (settings !== undefined) await this.configure(dataFolder, settings);
    await resumeFirstRecovery(dataFolder);
    return await Postmaster.start({
      installation,
      environment,
      user: this.user,
      dataFolder,
      logFile: `${dataFolder}.log`,
      settings: once,
    });
  }

  /** Writes the settings that a cluster has after its next start or reload. Returns a function that restores the old ones. */
  async configure(dataFolder: string, settings: Settings): Promise<() => Promise<void>> {
    checkSettings(settings);
    const file = join(dataFolder, "postgresql.auto.conf");
    const before = await readFile(file, "utf8");
    // A replica has no history of its own.
    const standby: Settings = existsSync(join(dataFolder, "standby.signal")) ? { wal_keep_size: 0 } : {};
    const text = configuration({ ...platformSettings(await majorOf(dataFolder)), ...standby, ...settings });
    await this.write(file, text);
    return () => this.write(file, before);
  }

  /** Writes a file that Postgres reads. */
  async write(file: string, text: string): Promise<void> {
    const unfinished = `${file}.new`;
    try {
      // On a full disk, the old file stays as it is.
      await writeFile(unfinished, text, { mode: 0o600 });
      if (this.user) chownSync(unfinished, this.user.uid, this.user.gid);
      await rename(unfinished, file);
    } catch (error) {
      await removeFolder(unfinished).catch(() => undefined);
      throw error;
    }
  }

  /** Runs the cluster of a data folder while a function uses it. */
  async within<Result>(
    dataFolder: string,
    use: (admin: Admin, running: Postmaster) => Promise<Result>,
  ): Promise<Result> {
    // At a lower level, a cluster with logical replication slots does not start.
    const running = await this.start(dataFolder, { wal_level: "logical" });
    try {
      return await use(await running.admin(), running);
    } finally {
      await running.stop();
    }
  }

  /** An empty cluster from which others are copied. A copy takes a tenth of the time of `initdb`. */
  async #template(major: number): Promise<string> {
    const known = this.#templates.get(major);
    if (known) return await known;
    const made = this.#makeTemplate(major);
    this.#templates.set(major, made);
    // After a failure, the next call tries again.
    made.catch(() => this.#templates.delete(major));
    return await made;
  }

  async #makeTemplate(major: number): Promise<string> {
    const { installation } = await this.#prepare(major);
    const name = `${installation.version}-${templateVersion}`;
    const cached = this.#cache.find(name);
    if (cached !== undefined) return cached;
    const folder = join(this.root, "templates", name);
    if (existsSync(folder)) return folder;
    const unfinished = `${folder}.new`;
    await removeFolder(unfinished);
    await makeFolder(dirname(folder), this.user);
    await building(unfinished, () => this.#fillTemplate(major, unfinished));
    await removeFolder(`${unfinished}.log`);
    await rename(unfinished, folder);
    await this.#cache.add(name, folder);
    return folder;
  }

  async #fillTemplate(major: number, folder: string): Promise<void> {
    const { installation, environment } = await this.#prepare(major);
    const locale = major >= 17 ? ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"] : [];
    const flags = [
      "-U",
      adminRole,
      "--auth=trust",
      "-E",
      "UTF8",
      "--locale=C",
      ...locale,
      "--no-sync",
      "--wal-segsize=1",
    ];
    const initdb = binaryIn(installation.folder, process.platform === "win32" ? "initdb.exe" : "initdb");
    await execute(initdb, [...flags, "-D", folder], { ...runAs(this.user), env: environment });
    // The socket is in a folder that only the user of Postgres can enter.
    await this.write(join(folder, "pg_hba.conf"), `local all all trust\nlocal replication ${adminRole} trust\n`);
    await this.within(folder, async (admin, running) => {
      for (const statement of preparationOf(major)) await admin.query(statement);
      await admin.query("ALTER DATABASE template0 ALLOW_CONNECTIONS true");
      for (const database of firstDatabases) {
        const session = await running.connect(database);
        for (const statement of databasePreparationOf(major)) await session.query(statement);
        await session.end();
      }
      await admin.query("ALTER DATABASE template0 ALLOW_CONNECTIONS false");
    });
  }

  async #prepare(major: number): Promise<Prepared> {
    const known = this.#prepared.get(major) ?? Promise.resolve().then(() => this.#makeUsable(major));
    this.#prepared.set(major, known);
    known.catch(() => this.#prepared.delete(major));
    return await known;
  }

  /** Makes the binaries usable: adds the links that their libraries need, and lets the user of Postgres read them. */
  async #makeUsable(major: number): Promise<Prepared> {
    const installation = this.#installations.get(major);
    if (!installation) throw new Error(`there is no Postgres ${major} on this machine`);
    const own = this.#withLibraries(installation);
    if (this.#canRun(own)) return own;
    const folder = join(this.root, "binaries", installation.version);
    if (!existsSync(folder)) {
      await removeFolder(`${folder}.new`);
      await makeFolder(dirname(folder), this.user);
      await copyFolder(installation.folder, `${folder}.new`, this);
      await rename(`${folder}.new`, folder);
    }
    const copy = this.#withLibraries({ ...installation, folder });
    if (this.#canRun(copy)) return copy;
    throw new Error(`Postgres ${installation.version} in ${installation.folder} does not run on this machine`);
  }

  /** Adds the links of the libraries. The npm package makes them in an install script, which is often switched off. */
  #withLibraries(installation: Installation): Prepared {
    const environment = { PATH: process.env["PATH"], TZ: "GMT", LC_ALL: "C" };
    const list = join(installation.folder, "pg-symlinks.json");
    if (!existsSync(list)) return { installation, environment };
    const links = JSON.parse(readFileSync(list, "utf8")) as readonly {
      readonly source: string;
      readonly target: string;
    }[];
    const inside = (path: string): string =>
      join(dirname(installation.folder), path.replace(/^native/, basename(installation.folder)));
    if (links.every(({ target }) => existsSync(inside(target)))) return { installation, environment };
    const folder = join(this.root, "libraries", installation.version);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const { source, target } of links) {
      const link = join(folder, basename(target));
      if (existsSync(link)) continue;
      if (lstatSync(link, { throwIfNoEntry: false })) continue;
      symlinkSync(inside(source), link);
    }
    if (this.user) for (const each of [dirname(folder), folder]) chownSync(each, this.user.uid, this.user.gid);
    const variable = process.platform === "darwin" ? "DYLD_LIBRARY_PATH" : "LD_LIBRARY_PATH";
    return {
      installation,
      environment: { ...environment, [variable]: [folder, join(installation.folder, "lib")].join(delimiter) },
    };
  }

  #canRun({ installation, environment }: Prepared): boolean {
    const options = { ...runAs(this.user), env: environment } as const;
    return spawnSync(binaryIn(installation.folder), ["--version"], options).status === 0;
  }
}

/** An installation, and the environment that its processes need. */
interface Prepared {
  readonly installation: Installation;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Starts the first recovery of a copy again if it was interrupted. Postgres renames the label of the backup before it reads the
 * log, and without the label it does not find the end of the backup.
 */
async function resumeFirstRecovery(dataFolder: string): Promise<void> {
  const [label, renamed] = [join(dataFolder, "backup_label"), join(dataFolder, "backup_label.old")];
  const isReplica = existsSync(join(dataFolder, "standby.signal"));
  if (isReplica || existsSync(label) || !existsSync(renamed)) return;
  if ((await readControlFile(dataFolder)).isFirstRecovery) await rename(renamed, label);
}

async function majorOf(dataFolder: string): Promise<number> {
  return Number((await readFile(join(dataFolder, "PG_VERSION"), "utf8")).trim());
}

/** Makes a user the owner of a folder, and lets the user pass through the folder above it. */
function giveAway(folder: string, user: OsUser): void {
  chownSync(folder, user.uid, user.gid);
  const parent = dirname(folder);
  const mode = statSync(parent).mode & 0o777;
  if (statSync(parent).uid === 0 && (mode & 0o001) === 0) chmodSync(parent, mode | 0o011);
  if (canEnter(user, folder)) return;
  throw new Error(
    `Postgres runs as the user "${user.name}" instead of root, who cannot enter ${folder}; ` +
      `use a data folder whose parent folders every user can enter`,
  );
}

async function execute(file: string, args: readonly string[], options: object): Promise<void> {
  const child = spawn(file, args, { ...options, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (text: Buffer) => (said += text.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  if (code !== 0) throw new Error(`${basename(file)} failed: ${said.trim()}`);
}

/** The data folders below a folder, at any depth. */
export function dataFoldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  if (existsSync(join(folder, "PG_VERSION"))) return [folder];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => dataFoldersIn(join(folder, entry.name)));
}
