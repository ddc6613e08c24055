import { join, sep } from "node:path";

import type { EndpointRow } from "../model/computes/endpoint-row";
import type { ProjectRow } from "../model/projects/project-row";
import type { Engine } from "../postgres/engine";
import type { Postmaster } from "../postgres/postmaster";
import type { Settings } from "../postgres/settings";

/** The Postgres processes of the computes. */
export class Computes {
  readonly #engine: Engine;
  readonly #running = new Map<string, Postmaster>();
  /** The last change of each compute: two changes never overlap. */
  readonly #changes = new Map<string, Promise<unknown>>();

  constructor({ engine }: { readonly engine: Engine }) {
    this.#engine = engine;
  }

  /** The running Postgres of a compute. */
  of(endpointId: string): Postmaster | undefined {
    const running = this.#running.get(endpointId);
    return running?.isRunning === true ? running : undefined;
  }

  runningOn(dataFolder: string): Postmaster | undefined {
    return [...this.#running.values()].find((each) => each.isRunning && each.dataFolder === dataFolder);
  }

  all(): [string, Postmaster][] {
    return [...this.#running].filter(([, { isRunning }]) => isRunning);
  }

  /** Starts a compute, unless it runs. Restarts a compute that was moved and runs on other data. */
  async start(endpoint: EndpointRow, dataFolder: string, settings: Settings): Promise<Postmaster> {
    return await this.#change(endpoint.id, async () => {
      const running = this.of(endpoint.id);
      if (running?.dataFolder === dataFolder) return running;
      await running?.stop();
      const other = this.runningOn(dataFolder);
      if (other) await other.stop();
      const started = await this.#engine.start(dataFolder, settings);
      this.#running.set(endpoint.id, started);
      return started;
    });
  }

  async stop(endpointId: string): Promise<void> {
    await this.#change(endpointId, async () => {
      await this.of(endpointId)?.stop();
      this.#running.delete(endpointId);
    });
  }

  /** Stops the computes whose data is below a folder, relative to the folder of Postgres. */
  async stopBelow(folder: string): Promise<void> {
    const path = join(this.#engine.root, folder) + sep;
    const below = this.all().filter(([, { dataFolder }]) => dataFolder.startsWith(path));
    await Promise.all(below.map(([id]) => this.stop(id)));
  }

  /**
   * Applies settings to a running compute. It is restarted if one of them needs that. If Postgres refuses them, it goes on with
   * the settings that it has.
   */
  async configure(endpoint: EndpointRow, running: Postmaster, settings: Settings): Promise<Postmaster> {
    const { dataFolder } = running;
    const restore = await this.#engine.configure(dataFolder, settings);
    try {
      const admin = await running.admin();
      const { rows: problems } = await admin.query<SettingProblem>(
        `SELECT f.name, f.setting, f.error, coalesce(s.context = 'postmaster', false) AS "needsRestart"
         FROM pg_file_settings f LEFT JOIN pg_settings s ON lower(s.name) = lower(f.name) WHERE f.error IS NOT NULL`,
      );
      const refused = problems.find(({ needsRestart }) => !needsRestart);
      if (refused) throw new Error(`Postgres does not accept ${refused.name} = "${refused.setting}": ${refused.error}`);
      if (problems.length === 0) {
        await admin.query("SELECT pg_reload_conf()");
        return running;
      }
      await this.stop(endpoint.id);
      return await this.start(endpoint, dataFolder, settings);
    } catch (error) {
      await restore();
      if (!running.isRunning) {
        await this.#change(endpoint.id, async () => {
          this.#running.set(endpoint.id, await this.#engine.start(dataFolder));
        });
      }
      throw error;
    }
  }

  async #change<Result>(endpointId: string, change: () => Promise<Result>): Promise<Result> {
    const before = this.#changes.get(endpointId) ?? Promise.resolve();
    const result = before.then(change, change);
    this.#changes.set(endpointId, result);
    try {
      return await result;
    } finally {
      if (this.#changes.get(endpointId) === result) this.#changes.delete(endpointId);
    }
  }
}

/** A setting that Postgres cannot apply while it runs. */
interface SettingProblem {
  readonly name: string;
  readonly setting: string;
  readonly error: string;
  readonly needsRestart: boolean;
}

/** The settings of a compute: its own, and those that follow from its project. */
export function settingsOf({ settings }: EndpointRow, project?: ProjectRow): Settings {
  const isLogical = project?.settings.enable_logical_replication === true;
  return { ...settings.pg_settings, ...(isLogical && { wal_level: "logical" }) };
}
