import { basename, dirname, join } from "node:path";

import { backoffMs, sleep, systemClock } from "../clock";
import { markIdle, withActivity } from "../model/computes/activity";
import { updateQuotaDeadline } from "../model/computes/quota";
import { listDatabases } from "../model/branches/database";
import { branchesToMask, endMasking, type MaskedBranch, missingDatabase } from "../model/branches/masking-state";
import { folderOf } from "../model/files";
import { endWork, operationsWithWork } from "../model/operations/lifecycle";
import type { EndpointRow } from "../model/computes/endpoint-row";
import { isWorkingAction } from "../model/operations/actions";
import type { OperationRow } from "../model/operations/operation";
import type { Processes } from "../model/status";
import type { Tables } from "../model/tables";
import { readState } from "../postgres/catalog";
import { dataFoldersIn } from "../postgres/engine";
import { removeFolder } from "../postgres/folder";
import { repeatInterrupted } from "../postgres/interruption";
import { endLeftovers } from "../postgres/leftovers";
import type { Postmaster } from "../postgres/postmaster";
import type { DataFolder } from "../storage/data-folder";
import { commitLater } from "../storage/commit-later";
import { StorageError } from "../storage/storage-error";
import { BranchData, prepareFolders } from "./branch-data";
import { recordState } from "./catalog-rows";
import type { Computes } from "./computes";
import { Histories, type HistoryServices } from "./histories";
import { schemaCopies } from "./schema/reader";
import { maskData } from "./mask-data";
import { works } from "./operation-work";
import { startCrashed } from "./postgres-start";
import type { Commit, WorkServices } from "./work";

export interface DataPlaneServices extends Omit<HistoryServices, "data"> {
  readonly folder: DataFolder;
}

/** The tables whose changes may start work. */
export const workTables: readonly (keyof Tables)[] = ["operations", "removals", "endpoints", "projects", "branches"];

/**
 * Carries out in Postgres the operations of the control plane.
 *
 * The rows are the desired state. Each work finds out from the rows, the files and the catalog what is left to do, so it can be
 * repeated at any time: after a kill, the next start does what was not recorded as done. Work that fails because Postgres was
 * stopped meanwhile is repeated at once.
 */
export class DataPlane implements Processes {
  readonly computes: Computes;
  readonly data: BranchData;
  readonly #services: DataPlaneServices;
  readonly #histories: Histories;
  readonly #inProgress = new Map<string, Promise<void>>();
  /** The last error of each work that has failed, so that it is logged once. */
  readonly #failures = new Map<string, string>();
  readonly #closing = new AbortController();
  #isClosing = false;

  constructor(services: DataPlaneServices) {
    this.#services = services;
    this.computes = services.computes;
    this.data = new BranchData(services.engine, (folder) => this.computes.runningOn(folder));
    this.#histories = new Histories({ ...services, data: this.data });
  }

  /** Cleans up after an earlier process. No compute runs afterwards. */
  async open(): Promise<void> {
    const { controlPlane, engine, commit } = this.#services;
    const { tables, clock } = controlPlane;
    await prepareFolders(engine);
    await endLeftovers(dataFoldersIn(engine.root));
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

  /** Starts the work of all operations that are running. Subscribed to the feed of changes. */
  run(): void {
    if (this.#isClosing) return;
    const { controlPlane } = this.#services;
    for (const operation of operationsWithWork(controlPlane)) {
      this.#once(operation.id, () => this.#perform(operation));
    }
    for (const branch of branchesToMask(controlPlane)) this.#once(`mask ${branch.id}`, () => this.#mask(branch));
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

  /** Updates the rows of a project from its running computes. */
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
          // The compute is being stopped. The rows keep the state that was read last.
        }
      }),
    );
  }

  /** Stops all computes, once the works in progress have ended. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#histories.close();
    this.#closing.abort();
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
      .then(
        () => void this.#failures.delete(key),
        (error: unknown) => this.#logOnce(key, error),
      )
      .finally(() => this.#inProgress.delete(key));
    this.#inProgress.set(key, done);
  }

  async #perform(operation: OperationRow): Promise<void> {
    const { controlPlane, folder } = this.#services;
    let change: Commit;
    let failure: string | undefined;
    try {
      const { tables } = controlPlane;
      // Work would build data again, empty, if the folder was moved or removed.
      folder.check();
      const { action } = operation;
      const work = isWorkingAction(action) ? works[action] : undefined;
      const perform = (): Promise<Commit | undefined> =>
        repeatInterrupted(async () => await work?.({ ...this.#works, operation }));
      // The maintenance of histories reserves each branch by itself.
      const isShared = action !== "apply_storage_config";
      const branches = isShared ? tables.branches.list({ project_id: operation.project_id }) : [];
      const ids = branches.map(({ id }) => id);
      change = (await this.#services.use.share(ids, perform)) ?? nothing;
    } catch (error) {
      change = nothing;
      failure = folder.reasonFor(error);
      await this.#removeUnfinished(operation);
    }
    await this.#commitLater(() => {
      change();
      endWork(controlPlane, operation.id, failure);
    });
  }

  /** Masks the data of a branch. No operation locks the project meanwhile, so the branch is reserved. */
  async #mask({ id, masking: { rules } }: MaskedBranch): Promise<void> {
    const { controlPlane, folder, use } = this.#services;
    const { signal } = this.#closing;
    let failure = missingDatabase(controlPlane, id, rules);
    let isDone = failure !== undefined;
    const mask = async (): Promise<void> => {
      folder.check();
      const databases = listDatabases(controlPlane, id);
      await repeatInterrupted(() => this.data.use(id, (running) => maskData(running, databases, rules)));
      isDone = true;
    };
    for (let attempt = 1; !isDone && !signal.aborted; attempt += 1) {
      try {
        await use.alone(id, mask);
      } catch (error) {
        failure = folder.reasonFor(error);
        isDone = true;
      }
      if (!isDone) await sleep(systemClock, backoffMs(attempt), signal);
    }
    if (isDone) await this.#commitLater(() => endMasking(controlPlane, id, failure));
  }

  async #commitLater(change: Commit): Promise<void> {
    await commitLater(this.#services.commit, change, this.#closing.signal);
  }

  /** Removes the partial results of failed work. On a full disk, they would take the space that is missing. */
  async #removeUnfinished({ id, branch_id: branchId }: OperationRow): Promise<void> {
    const { controlPlane, engine } = this.#services;
    const snapshots = controlPlane.tables.snapshots.list({ creation_id: id });
    const built = [
      ...(branchId === undefined ? [] : [folderOf.branch(branchId)]),
      ...snapshots.map((snapshot) => folderOf.snapshot(snapshot.id)),
    ];
    for (const folder of built.flatMap((each) => [`${each}.new`, `${each}.next.new`])) {
      await removeFolder(join(engine.root, folder)).catch((error: unknown) => this.#logOnce(folder, error));
    }
  }

  #logOnce(key: string, error: unknown): void {
    // The data folder has logged the problem.
    if (error instanceof StorageError) return;
    const message = String(error);
    if (this.#failures.get(key) === message) return;
    this.#failures.set(key, message);
    console.error(`${key}:`, error);
  }

  async #remove(folder: string): Promise<void> {
    const { controlPlane } = this.#services;
    await this.#services.use.share([basename(folder)], async () => {
      await this.computes.stopBelow(folder);
      // A folder that cannot be found now may come back.
      this.#services.folder.check();
      await this.data.remove(folder);
    });
    await this.#commitLater(() => controlPlane.tables.removals.delete({ id: folder }));
  }

  get #works(): WorkServices {
    const { controlPlane, engine } = this.#services;
    return { controlPlane, engine, data: this.data, computes: this.computes, histories: this.#histories };
  }

  /** Whether a running compute is still needed: it and its project are not deleted. */
  #isWanted(endpointId: string): boolean {
    const { tables } = this.#services.controlPlane;
    const endpoint = tables.endpoints.get({ id: endpointId });
    if (!endpoint || (endpoint.deleted_at !== null && endpoint.deletion_id === null)) return false;
    return tables.projects.get({ id: endpoint.project_id, deleted_at: null }) !== undefined;
  }
}

const nothing = (): void => undefined;
