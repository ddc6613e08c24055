import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Client } from "pg";

import { TestPlatform } from "../../support/platform";
import { spawnStart } from "../../support/platform-process";
import { testPostgres, makeFastFolder, postmasterPid, processesOn, socketFolderOf } from "../../support/postgres-files";
import { until } from "../../support/until";
import { createTables, nothingWritten, type Written } from "./writer";

/** A branch of the world, and what was written to it. */
export interface WorldBranch {
  readonly id: string;
  readonly uri: string;
  written: Written[];
}

/** A platform in a process of its own, with one project whose branches have real databases. */
export class World {
  readonly branches: WorldBranch[] = [];
  readonly #folder: string;
  #running: Awaited<ReturnType<typeof spawnStart>>;
  #platform: TestPlatform;
  #projectId = "";

  private constructor(folder: string, running: Awaited<ReturnType<typeof spawnStart>>) {
    this.#folder = folder;
    this.#running = running;
    this.#platform = new TestPlatform(running.platform);
  }

  static async open(): Promise<World> {
    const folder = makeFastFolder("neon-platform-databases-");
    mkdirSync(temporaryFolder(folder));
    chmodSync(temporaryFolder(folder), 0o1777);
    const world = new World(folder, await spawn(folder));
    const { project, branch, connection_uris } = await world.#platform.project({
      history_retention_seconds: retentionSeconds,
    });
    world.#projectId = project.id;
    const uri = connection_uris[0]?.connection_uri ?? "";
    await createTables(uri);
    world.branches.push({ id: branch.id, uri, written: nothingWritten() });
    return world;
  }

  /** Asks for a branch with a compute; the operations may still be running. */
  async branch(input: object): Promise<WorldBranch> {
    const body = { branch: input, endpoints: [{ type: "read_write" }] };
    const created = await this.#platform.call("POST", `/projects/${this.#projectId}/branches`, body);
    if (created.status !== 201) throw new Error(`the branch was not created: ${JSON.stringify(created.body)}`);
    const [first] = created.body.connection_uris;
    return { id: created.body.branch.id, uri: first?.connection_uri ?? "", written: nothingWritten() };
  }

  async remove({ id }: WorldBranch): Promise<void> {
    await this.#platform.call("DELETE", `/projects/${this.#projectId}/branches/${id}`);
    await this.settled();
    this.branches.splice(
      this.branches.findIndex((one) => one.id === id),
      1,
    );
  }

  /** Whether the history of a branch does not begin any more where the branch did. */
  isShortened({ id }: WorldBranch): boolean {
    return !existsSync(join(dirname(this.#dataFolder({ id })), "base"));
  }

  /** Waits until nothing is under way; @returns what has failed. */
  async settled(): Promise<readonly string[]> {
    const all = await this.#platform.settled(this.#projectId);
    return all
      .filter(({ status }) => (status as string) !== "finished")
      .map(({ action, status, error }) => `${action} is ${status}: ${error ?? ""}`);
  }

  /** Kills the platform, and starts another one on its data when no Postgres of it is left. */
  async killPlatform(): Promise<void> {
    const { child } = this.#running;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
    await until(() => processesOn(this.#folder).length === 0);
    const { apiKey } = this.#platform;
    this.#running = await spawn(this.#folder);
    // An earlier key stays valid.
    this.#platform = new TestPlatform({ ...this.#running.platform, apiKey });
  }

  killPostmaster(branch: WorldBranch): void {
    process.kill(postmasterPid(this.#dataFolder(branch)), "SIGKILL");
  }

  /** Whether the indexes and the checksums of a branch are sound. Its compute is active. */
  async damage(branch: WorldBranch): Promise<readonly string[]> {
    const host = socketFolderOf(this.#dataFolder(branch));
    const client = new Client({ host, user: "cloud_admin", database: "neondb" });
    await client.connect();
    try {
      await client.query("CREATE EXTENSION IF NOT EXISTS amcheck");
      await client.query(
        `SELECT bt_index_check(i.indexrelid, true) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
         JOIN pg_am a ON a.oid = c.relam WHERE a.amname = 'btree' AND c.relpersistence = 'p' AND i.indisvalid`,
      );
      const { rows } = await client.query<{ failures: number }>(
        "SELECT coalesce(sum(checksum_failures), 0)::int AS failures FROM pg_stat_database",
      );
      return rows[0]?.failures === 0 ? [] : [`${rows[0]?.failures} checksums are wrong`];
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    } finally {
      await client.end();
    }
  }

  /**
   * Ends the platform.
   *
   * @throws Error if something of it is left: a process that names the folder of the world or works in it, a file in the temporary
   *   folder other than the templates that all platforms share, or something in the data folder that belongs to a running
   *   Postgres or to unfinished work
   */
  async close(): Promise<void> {
    await this.#running.platform.close();
    const left = [
      ...processesOn(this.#folder).map((pid) => `process ${pid}`),
      ...readdirSync(temporaryFolder(this.#folder)).filter(
        (name) => !isHarmless(join(temporaryFolder(this.#folder), name)),
      ),
      ...readdirSync(join(this.#folder, "data", "postgres"), { recursive: true, encoding: "utf8" })
        .map((path) => basename(path))
        .filter((name) => unfinished.test(name) && name !== "backup_label.old"),
    ];
    rmSync(this.#folder, { recursive: true, force: true });
    if (left.length > 0) throw new Error(`left after the end of the platform: ${left.join(", ")}`);
  }

  #dataFolder({ id }: Pick<WorldBranch, "id">): string {
    return join(this.#folder, "data", "postgres", "branches", id, "data");
  }
}

/** So short that rounds give up the history of their branches, and so long that none asks for what was given up. */
const retentionSeconds = 10;
const historyLimits = { logBytes: 2 ** 18, dataShare: 0, pruneBytes: 2 ** 20, intervalMs: 500, graceMs: 0 };

/** What has one of these names is there only while Postgres runs, or while a folder is built, replaced or removed. */
const unfinished = /^postmaster\.pid$|^\.s\.PGSQL|\.(new|next|old)$/;

/** Templates stay for other platforms. One that is killed before it starts a Postgres leaves the empty folder of its socket. */
const isHarmless = (path: string): boolean =>
  basename(path).startsWith("neon-platform-templates-") ||
  (isSocketFolder.test(basename(path)) && readdirSync(path).length === 0);
const isSocketFolder = /^np-/;

/** The temporary folder of the platform of a world: other platforms use that of the system. */
const temporaryFolder = (folder: string): string => join(folder, "tmp");

function spawn(folder: string): ReturnType<typeof spawnStart> {
  const options = { data: join(folder, "data"), operationTime: "0", postgres: testPostgres(), historyLimits };
  return spawnStart(options, { ...process.env, TMPDIR: temporaryFolder(folder) });
}
