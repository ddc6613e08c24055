import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { dirname, join } from "node:path";

import type { ControlPlane } from "../model/control-plane";
import { isLocked } from "../model/operations/project-lock";
import type { BranchRow } from "../model/branches/branch-row";
import type { ProjectRow } from "../model/projects/project-row";
import { readState } from "../postgres/catalog";
import { copyCluster } from "../postgres/cluster-copy";
import { readControlFile } from "../postgres/control-file";
import type { Engine } from "../postgres/engine";
import { removeFolder } from "../postgres/folder";
import { isInterruption } from "../postgres/interruption";
import { appliedBy, endOfLog, endPruning, logBefore, neededBySlots, pruneLog } from "../postgres/log-pruning";
import { type Lsn, parseLsn } from "../postgres/lsn";
import type { Postmaster } from "../postgres/postmaster";
import { type Base, basesIn, laterBaseName, removeBase, removeUnfinished, startOfLog, unfinishedBase } from "./bases";
import type { BranchData } from "./branch-data";
import type { BranchUse } from "./branch-use";
import type { Computes } from "./computes";
import type { HistoryLimits } from "./history-limits";

export interface HistoryServices {
  readonly controlPlane: ControlPlane;
  readonly engine: Engine;
  readonly computes: Computes;
  readonly data: BranchData;
  readonly use: BranchUse;
  readonly historyLimits: HistoryLimits;
  /** Makes a change in a transaction. */
  readonly commit: (change: () => void) => void;
}

/**
 * Removes history that is older than its project keeps.
 *
 * When much was written since the last base of a branch, another base is copied. Once that base is older than the history has to
 * be, the earlier base is removed, and so is the log before the later one. At all times, every moment that clients can ask for
 * has a base and the log after it. Each step finds out from the files what is left to do.
 *
 * No compute is started for this: the log of a suspended one is shortened when it runs again.
 */
export class Histories {
  readonly #services: HistoryServices;
  readonly #limits: HistoryLimits;
  readonly #reported = new Set<string>();
  #cancelTimer: (() => void) | undefined;
  #isDue = false;
  #isClosing = false;

  constructor(services: HistoryServices) {
    this.#services = services;
    this.#limits = services.historyLimits;
  }

  /** Removes the unfinished copies that a killed platform has left. From now on, maintains all histories. */
  async open(run: () => void): Promise<void> {
    for (const { id } of this.#services.controlPlane.tables.branches.list({})) {
      const folder = this.#folderOf(id);
      if (existsSync(folder)) await removeUnfinished(folder);
    }
    const wait = (): void => {
      this.#cancelTimer = this.#services.controlPlane.clock.after(this.#limits.intervalMs, () => {
        this.#isDue = true;
        wait();
        run();
      });
    };
    wait();
  }

  close(): void {
    this.#isClosing = true;
    this.#cancelTimer?.();
  }

  /** Shortens the histories if that is due. Leaves out projects with operations in progress, which may need any moment. */
  async maintainAll(): Promise<void> {
    const { controlPlane } = this.#services;
    while (this.#isDue && !this.#isClosing) {
      this.#isDue = false;
      for (const { id } of controlPlane.tables.projects.list({ deleted_at: null })) {
        await this.maintain(id, () => !isLocked(controlPlane, id));
      }
    }
  }

  /** Adjusts the history of each branch of a project to the time that the project keeps. */
  async maintain(projectId: string, isAllowed: () => boolean): Promise<void> {
    const { tables } = this.#services.controlPlane;
    for (const { id } of tables.branches.list({ project_id: projectId, deleted_at: null })) {
      if (this.#isClosing || !isAllowed()) return;
      try {
        await this.#services.use.alone(id, () => this.#maintainBranch(id, isAllowed));
      } catch (error) {
        this.#report(id, error);
      }
    }
  }

  async #maintainBranch(id: string, isAllowed: () => boolean): Promise<void> {
    const { controlPlane, computes, data } = this.#services;
    const row = controlPlane.tables.branches.get({ id, deleted_at: null });
    const project = row && controlPlane.tables.projects.get({ id: row.project_id, deleted_at: null });
    const dataFolder = data.dataFolder(id);
    if (!project || !existsSync(this.#folderOf(id))) return;
    const keepsHistory = project.history_retention_seconds > 0;
    // A branch that was not used yet has only its base.
    if (!keepsHistory) await data.open(id);
    else if (!existsSync(dataFolder)) return;
    const running = computes.runningOn(dataFolder);
    if (running) await endPruning(running);
    if (keepsHistory) await this.#keep(row, project, isAllowed);
    else await this.#giveUp(id, isAllowed);
    if (running?.isRunning === true) await this.#prune(id, running);
  }

  /** Removes all bases. */
  async #giveUp(id: string, isAllowed: () => boolean): Promise<void> {
    const bases = await basesIn(this.#folderOf(id));
    if (bases.length === 0 || !isAllowed()) return;
    this.#change(id, (row) => ({ ...row, without_history: true }));
    for (const base of bases) await removeBase(base);
  }

  async #keep(row: BranchRow, project: ProjectRow, isAllowed: () => boolean): Promise<void> {
    const folder = this.#folderOf(row.id);
    const [first, second] = await basesIn(folder);
    if (!first) await this.#copyBase(row.id);
    else if (second) {
      const graceMs = this.#limits.graceMs + project.history_retention_seconds * 1000;
      const isSuperfluous = (second.since ?? 0) * 1000 + graceMs <= this.#services.controlPlane.clock.now();
      if (isSuperfluous && isAllowed()) {
        this.#change(row.id, (branch) => startingAt(branch, second));
        await removeBase(first);
      }
    } else if (await this.#hasGrown(row, first)) await this.#copyBase(row.id);
    const [oldest] = await basesIn(folder);
    if (row.without_history === true && oldest) this.#change(row.id, (branch) => startingAt(branch, oldest));
  }

  async #hasGrown({ id, logical_size = 0 }: BranchRow, base: Base): Promise<boolean> {
    const dataFolder = this.#services.data.dataFolder(id);
    const running = this.#services.computes.runningOn(dataFolder);
    const { checkpoint, isShutDown } = await readControlFile(dataFolder);
    // A killed cluster would have to be started for a copy.
    if (!running && !isShutDown) return false;
    // The row may be out of date: it was read at the last request, or when the compute was suspended.
    const { lsn: end, size } = running
      ? await readState(await running.admin())
      : { lsn: checkpoint, size: logical_size };
    const least = Math.max(this.#limits.logBytes, this.#limits.dataShare * size);
    return Number(parseLsn(end) - parseLsn(base.lsn)) >= least;
  }

  async #copyBase(id: string): Promise<void> {
    const { engine, computes, data, controlPlane } = this.#services;
    const folder = this.#folderOf(id);
    const dataFolder = data.dataFolder(id);
    const unfinished = join(folder, unfinishedBase);
    await removeFolder(unfinished);
    try {
      const lsn = await copyCluster(engine, dataFolder, computes.runningOn(dataFolder), unfinished);
      // Later than everything in the copy. In whole seconds, because clients see the start of the history in whole seconds.
      const since = Math.ceil(controlPlane.clock.now() / 1000);
      await rename(unfinished, join(folder, laterBaseName(lsn, since)));
    } finally {
      await removeFolder(unfinished);
    }
  }

  /** Lets Postgres remove the log that neither a base nor a replica nor a replication slot needs. */
  async #prune(id: string, running: Postmaster): Promise<void> {
    const needed = await this.#neededBy(id, running);
    if (needed === undefined) return;
    if ((await logBefore(running.dataFolder, needed)) >= this.#limits.pruneBytes) await pruneLog(running, needed);
  }

  /** The first position of the log that is needed; undefined if it is unknown at the moment. */
  async #neededBy(id: string, running: Postmaster): Promise<Lsn | undefined> {
    const { controlPlane, computes } = this.#services;
    const [oldest] = await basesIn(this.#folderOf(id));
    // Postgres itself keeps the log that it needs to start.
    const needed = [oldest ? await startOfLog(oldest) : await endOfLog(running)];
    const slots = await neededBySlots(running);
    if (slots !== undefined) needed.push(slots);
    for (const endpoint of controlPlane.tables.endpoints.list({ branch_id: id, type: "read_only" })) {
      const replica = computes.of(endpoint.id);
      if (!replica && endpoint.current_state !== "active") continue;
      const applied = replica && (await appliedBy(replica));
      if (applied === undefined) return undefined;
      needed.push(applied);
    }
    return needed.reduce((least, each) => (parseLsn(each) < parseLsn(least) ? each : least));
  }

  #change(id: string, change: (row: BranchRow) => BranchRow): void {
    const { controlPlane, commit } = this.#services;
    commit(() => {
      const row = controlPlane.tables.branches.get({ id });
      if (row) controlPlane.tables.branches.put(change(row));
    });
  }

  /** Logs each failure once. The maintenance is tried again. */
  #report(id: string, error: unknown): void {
    const text = `history of ${id}: ${error instanceof Error ? error.message : String(error)}`;
    if (isInterruption(error) || this.#reported.has(text)) return;
    this.#reported.add(text);
    console.error(text);
  }

  #folderOf(branchId: string): string {
    return dirname(this.#services.data.dataFolder(branchId));
  }
}

/** A branch whose history starts with a base. */
function startingAt(row: BranchRow, { since, lsn }: Base): BranchRow {
  const { without_history: _, ...rest } = row;
  if (since === undefined) return rest;
  return { ...rest, history_since: new Date(since * 1000).toISOString(), history_lsn: lsn };
}
