import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";

import { folderOf } from "../model/files";
import type { DataOrigin, Moment } from "../model/branches/data-origin";
import type { EndpointRow } from "../model/computes/endpoint-row";
import { copyCluster } from "../postgres/cluster-copy";
import { readControlFile } from "../postgres/control-file";
import type { Engine } from "../postgres/engine";
import { building, copyFolder, makeFolder, removeFolder } from "../postgres/folder";
import type { Lsn } from "../postgres/lsn";
import type { Admin, Postmaster } from "../postgres/postmaster";
import { recoverTo, recoveryTime } from "../postgres/recovery";
import { baseFor, firstBase, unfinishedData } from "./bases";
import { emptyTables } from "./schema-only";

/** The start of the data of a new branch or snapshot. */
export interface DataStart {
  /** The position in the log of the source. */
  readonly parentLsn: Lsn | undefined;
  /** The position in the log of the new data. */
  readonly ownLsn: Lsn;
}

/** The options for building the data of a branch. */
export interface BuildOptions {
  readonly major: number;
  /** Whether earlier points can be recovered later. */
  readonly keepsHistory: boolean;
}

/** Finds the Postgres that runs on a data folder. */
type RunningOn = (dataFolder: string) => Postmaster | undefined;

/**
 * The data of branches and snapshots. Each has a folder with its cluster (`data`) and the bases of its history: copies from which
 * points in time are recovered. The first base is from the beginning; `Histories` copies and removes others.
 *
 * A branch with a history has only its first base until a Postgres is to run on it. Then the cluster is copied from the base.
 *
 * A folder is built under another name and then renamed, so that it is complete whenever the platform is killed.
 */
export class BranchData {
  readonly #engine: Engine;
  readonly #runningOn: RunningOn;
  readonly #opening = new Map<string, Promise<void>>();

  constructor(engine: Engine, runningOn: RunningOn) {
    this.#engine = engine;
    this.#runningOn = runningOn;
  }

  dataFolder(branchId: string): string {
    return join(this.#engine.root, folderOf.branch(branchId), "data");
  }

  replicaFolder(endpointId: string): string {
    return join(this.#engine.root, folderOf.replica(endpointId), "data");
  }

  /** The data folder that a compute runs on. */
  folderOf({ id, branch_id: branchId, type }: Pick<EndpointRow, "id" | "branch_id" | "type">): string {
    return type === "read_only" ? this.replicaFolder(id) : this.dataFolder(branchId);
  }

  /** Builds the data of a branch, unless it exists. */
  async create(branchId: string, origin: DataOrigin, options: BuildOptions): Promise<DataStart> {
    const folder = join(this.#engine.root, folderOf.branch(branchId));
    if (existsSync(folder)) return { parentLsn: undefined, ownLsn: await this.#end(folder) };
    return await this.#build(folder, origin, options);
  }

  /** The data folder of a branch that was created. At the first use, its data is copied from the base. */
  async open(branchId: string): Promise<string> {
    const data = this.dataFolder(branchId);
    const opening = this.#opening.get(data) ?? this.#open(data).finally(() => this.#opening.delete(data));
    this.#opening.set(data, opening);
    await opening;
    return data;
  }

  /** Uses the Postgres of a branch. Without a compute, a Postgres runs meanwhile. */
  async use(branchId: string, use: (running: Postmaster) => Promise<void>): Promise<void> {
    const folder = await this.open(branchId);
    const running = this.#runningOn(folder);
    await (running ? use(running) : this.#engine.within(folder, (_admin, started) => use(started)));
  }

  /** Builds the data of a snapshot, unless it exists. A snapshot has no history. */
  async snapshot(snapshotId: string, origin: DataOrigin, major: number): Promise<DataStart> {
    const folder = join(this.#engine.root, folderOf.snapshot(snapshotId));
    if (existsSync(folder)) return { parentLsn: undefined, ownLsn: await this.#end(folder) };
    return await this.#build(folder, origin, { major, keepsHistory: false });
  }

  /** Replaces the data of a branch. The old data becomes that of another branch, or is removed. */
  async replace(branchId: string, origin: DataOrigin, options: BuildOptions): Promise<DataStart> {
    const folder = join(this.#engine.root, folderOf.branch(branchId));
    const preservedAs = origin.kind === "branch" ? origin.preserved_as : undefined;
    const preserved = preservedAs === undefined ? undefined : join(this.#engine.root, folderOf.branch(preservedAs));
    if (preserved !== undefined && !existsSync(preserved)) await rename(folder, preserved);
    // The branch's own history is in the preserved data now.
    const isOwn = origin.kind === "branch" && origin.id === branchId && preservedAs !== undefined;
    const source: DataOrigin = isOwn ? { ...origin, id: preservedAs } : origin;
    const old = `${folder}.old`;
    const start = await this.#build(`${folder}.next`, source, options);
    if (existsSync(folder)) {
      await removeFolder(old);
      await rename(folder, old);
    }
    await rename(`${folder}.next`, folder);
    await removeFolder(old);
    return start;
  }

  /** Removes the data of a deleted branch, snapshot or replica. */
  async remove(folder: string): Promise<void> {
    const path = join(this.#engine.root, folder);
    for (const suffix of ["", ".new", ".next", ".old"]) await removeFolder(path + suffix);
  }

  async #build(folder: string, origin: DataOrigin, { major, keepsHistory }: BuildOptions): Promise<DataStart> {
    const unfinished = `${folder}.new`;
    await removeFolder(unfinished);
    await removeFolder(folder);
    await makeFolder(dirname(folder), this.#engine.user);
    await makeFolder(unfinished, this.#engine.user);
    const data = join(unfinished, "data");
    const parentLsn = await this.#fill(data, origin, major);
    if (origin.kind === "branch" && origin.isSchemaOnly === true) {
      await this.#engine.within(data, (_admin, running) => emptyTables(running));
    }
    const { isShutDown, checkpoint } = await readControlFile(data);
    if (keepsHistory) await rename(data, join(unfinished, firstBase));
    await rename(unfinished, folder);
    return { parentLsn, ownLsn: isShutDown ? checkpoint : (parentLsn ?? checkpoint) };
  }

  async #open(data: string): Promise<void> {
    if (existsSync(data)) return;
    const branchFolder = dirname(data);
    const unfinished = join(branchFolder, unfinishedData);
    await removeFolder(unfinished);
    await building(unfinished, () => copyFolder(join(branchFolder, firstBase), unfinished, this.#engine));
    await rename(unfinished, data);
  }

  async #fill(to: string, origin: DataOrigin, major: number): Promise<Lsn | undefined> {
    switch (origin.kind) {
      case "empty":
        await this.#engine.create(major, to);
        return undefined;
      case "snapshot": {
        const from = join(this.#engine.root, folderOf.snapshot(origin.id), "data");
        return await copyCluster(this.#engine, from, undefined, to);
      }
      case "branch":
        return origin.moment === undefined
          ? await this.#copyNow(origin.id, to)
          : await this.#recover(origin.id, origin.moment, to);
      default:
        return origin satisfies never;
    }
  }

  async #copyNow(branchId: string, to: string): Promise<Lsn> {
    const from = await this.open(branchId);
    return await copyCluster(this.#engine, from, this.#runningOn(from), to);
  }

  async #recover(branchId: string, moment: Moment, to: string): Promise<Lsn> {
    const from = await this.open(branchId);
    await this.#use(from, commitBehind);
    const target = recoveryTarget(moment);
    const { folder } = await baseFor(dirname(from), moment);
    return await recoverTo(this.#engine, folder, [join(from, "pg_wal")], target, to);
  }

  async #use<Result>(dataFolder: string, use: (admin: Admin) => Promise<Result>): Promise<Result> {
    const running = this.#runningOn(dataFolder);
    return running ? await use(await running.admin()) : await this.#engine.within(dataFolder, use);
  }

  async #end(folder: string): Promise<Lsn> {
    const data = join(folder, "data");
    return (await readControlFile(existsSync(data) ? data : join(folder, firstBase))).checkpoint;
  }
}

/** A moment in the form that Postgres accepts. */
export const recoveryTarget = (moment: Moment): Moment =>
  "lsn" in moment ? moment : { time: recoveryTime(moment.time) };

/** Adds a commit to the log. A recovery ends before the first commit after its target. Without one, Postgres refuses the target. */
export async function commitBehind(admin: Admin): Promise<void> {
  await admin.query("SELECT pg_logical_emit_message(true, 'neon-platform', 'point in time')");
}

/** Creates the folders for the data of branches, snapshots and replicas. */
export async function prepareFolders(engine: Engine): Promise<void> {
  for (const name of ["branches", "snapshots", "replicas"]) {
    await mkdir(join(engine.root, name), { recursive: true, mode: 0o700 });
    await makeFolder(join(engine.root, name), engine.user);
  }
}
