import { basename, dirname } from "node:path";

import type { ControlPlane } from "../model/control-plane";
import { markIdle, withActivity } from "../model/computes/activity";
import { updateQuotaDeadline } from "../model/computes/quota";
import { endWork, operationsWithWork } from "../model/operations/lifecycle";
import type { EndpointRow, OperationRow } from "../model/rows";
import type { Processes } from "../model/status";
import { readState } from "../postgres/catalog";
import { dataFoldersIn, type Engine } from "../postgres/engine";
import { repeatInterrupted } from "../postgres/interruption";
import type { Postmaster } from "../postgres/postmaster";
import { BranchData, prepareFolders } from "./branch-data";
import type { BranchUse } from "./branch-use";
import { recordState } from "./catalog-rows";
import type { Computes } from "./computes";
import { Histories } from "./histories";
import { schemaCopies } from "./schema/reader";
import { type Commit, startCrashed, works, type WorkServices } from "./works";

export interface DataPlaneServices {
  readonly controlPlane: ControlPlane;
  readonly engine: Engine;
  readonly computes: Computes;
  readonly use: BranchUse;
  /** Makes a change in a transaction, and lets the scheduler see it. */
  readonly commit: (change: Commit) => void;
}

/**
 * Does in Postgres what the operations of the control plane stand for.
 *
 * The rows are the desired state. Each work finds out from them, from the files and from the catalog what is left to do, so it
 * can be repeated at any time: after a kill, the next start does what was not recorded as done. Work that fails because Postgres
 * was stopped under it is repeated at once.
 */
export class DataPlane implements Processes {
  readonly computes: Computes;
  readonly data: BranchData;
  readonly #services: DataPlaneServices;
  readonly #histories: Histories;
  readonly #inProgress = new Map<string, Promise<void>>();
  #isClosing = false;

  constructor(services: DataPlaneServices) {
    this.#services = services;
    this.computes = services.computes;
    this.data = new BranchData(services.engine, (folder) => this.computes.runningOn(folder));
    this.#histories = new Histories({ ...services, data: this.data });
  }

  /** Ends what an earlier process has left behind. No compute runs after that. */
  async open(): Promise<void> {
    const { controlPlane, engine, commit } = this.#services;
    const { tables, clock } = controlPlane;
    await prepareFolders(engine);
    await engine.endLeftovers(dataFoldersIn(engine.root));
    await this.data.remove(schemaCopies);
    await this.#histories.open(() => {
      if (!this.#isClosing) this.#once("histories", () => this.#histories.maintainAll());
    });
    commit(() => {
      for (const endpoint of tables.endpoints.list({ current_state: "active" })) {
        markIdle(controlPlane, endpoint, clock.now());
        updateQuotaDeadline(controlPlane, endpoint.project_id, clock.now());
      }
    });
  }

  /** Starts the work of all operations that are running. Called after every change. */
  run(): void {
    if (this.#isClosing) return;
    const { controlPlane } = this.#services;
    for (const operation of operationsWithWork(controlPlane)) {
      this.#once(operation.id, () => this.#perform(operation));
    }
    for (const { id } of controlPlane.tables.removals.list({})) this.#once(id, () => this.#remove(id));
    for (const [id] of this.computes.all()) {
      if (!this.#isWanted(id)) this.#once(`stop ${id}`, () => this.computes.stop(id));
    }
  }

  pidOf(endpointId: string): number | undefined {
    return this.computes.of(endpointId)?.pid;
  }

  branchFolder(branchId: string): string {
    return dirname(this.data.dataFolder(branchId));
  }

  replicaFolder(endpointId: string): string {
    return dirname(this.data.replicaFolder(endpointId));
  }

  /** Reads into the rows of a project what its running computes say. */
  async refresh(projectId: string): Promise<void> {
    const { controlPlane, commit } = this.#services;
    const active = controlPlane.tables.endpoints.list({
      project_id: projectId,
      current_state: "active",
      deleted_at: null,
    });
    await Promise.all(
      active.map(async (endpoint) => {
        const running = this.computes.of(endpoint.id);
        if (!running || running.dataFolder !== this.data.dataFolder(endpoint.branch_id)) return;
        try {
          const state = await readState(await running.admin());
          commit(() => {
            recordState(controlPlane, endpoint.branch_id, state);
            const row = controlPlane.tables.endpoints.get({ id: endpoint.id });
            const now = row && withActivity(controlPlane, row);
            if (now && now !== row) controlPlane.tables.endpoints.put(now);
          });
        } catch {
          // It is being stopped. What was read last stays.
        }
      }),
    );
  }

  /** Stops all computes, after the works in progress. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#histories.close();
    while (this.#inProgress.size > 0) await Promise.allSettled(this.#inProgress.values());
    await Promise.all(this.computes.all().map(([id]) => this.computes.stop(id)));
  }

  /** Starts the Postgres of an active compute that has crashed. */
  async startAgain(endpoint: EndpointRow): Promise<Postmaster> {
    return await repeatInterrupted(() => startCrashed(this.#works, endpoint));
  }

  #once(key: string, work: () => Promise<void>): void {
    if (this.#inProgress.has(key)) return;
    const done = work()
      .catch((error: unknown) => console.error(`${key}:`, error))
      .finally(() => this.#inProgress.delete(key));
    this.#inProgress.set(key, done);
  }

  async #perform(operation: OperationRow): Promise<void> {
    const { controlPlane, commit } = this.#services;
    let change: Commit;
    let failure: string | undefined;
    try {
      const { tables } = controlPlane;
      const work = works[operation.action];
      const perform = (): Promise<Commit | undefined> =>
        repeatInterrupted(async () => await work?.({ ...this.#works, operation }));
      // What maintains the histories has each branch alone by itself.
      const isShared = operation.action !== "apply_storage_config";
      const branches = isShared ? tables.branches.list({ project_id: operation.project_id }) : [];
      const ids = branches.map(({ id }) => id);
      change = (await this.#services.use.share(ids, perform)) ?? nothing;
    } catch (error) {
      change = nothing;
      failure = error instanceof Error ? error.message : String(error);
    }
    commit(() => {
      change();
      endWork(controlPlane, operation.id, failure);
    });
  }

  async #remove(folder: string): Promise<void> {
    const { controlPlane, commit } = this.#services;
    await this.#services.use.share([basename(folder)], async () => {
      await this.computes.stopBelow(folder);
      await this.data.remove(folder);
    });
    commit(() => controlPlane.tables.removals.delete({ id: folder }));
  }

  get #works(): WorkServices {
    const { controlPlane, engine } = this.#services;
    return { controlPlane, engine, data: this.data, computes: this.computes, histories: this.#histories };
  }

  /** Whether a running compute still belongs to something. */
  #isWanted(endpointId: string): boolean {
    const { tables } = this.#services.controlPlane;
    const endpoint = tables.endpoints.get({ id: endpointId });
    if (!endpoint || (endpoint.deleted_at !== null && endpoint.deletion_id === null)) return false;
    return tables.projects.get({ id: endpoint.project_id, deleted_at: null }) !== undefined;
  }
}

const nothing = (): void => undefined;
