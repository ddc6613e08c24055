import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Client } from "pg";

import { locked, notFound } from "../../http-error";
import { folderOf } from "../../model/files";
import type { SchemaReader, SchemaSource } from "../../model/databases";
import { copyStopped } from "../../postgres/cluster-copy";
import type { Engine } from "../../postgres/engine";
import { copyFolder, makeFolder, removeFolder } from "../../postgres/folder";
import { InterruptedError, isInterruption, repeatInterrupted } from "../../postgres/interruption";
import { isAlive } from "../../postgres/is-alive";
import { type Postmaster, readPidFile } from "../../postgres/postmaster";
import { recoverTo } from "../../postgres/recovery";
import { baseFor, firstBase } from "../bases";
import { commitBehind, recoveryTarget } from "../branch-data";
import type { BranchUse } from "../branch-use";
import { tablesAsJson, queryUnprotectedTables } from "./json-tables";
import { schemaAsSql } from "./sql-text";

/** The database from which new ones are copied. */
const template = "template1";

/** The folder of the copies that are read, relative to the folder of Postgres. It is emptied at the start. */
export const schemaCopies = "schemas";

/**
 * Reads schemas. The schema of a running branch is read in a session; that of a suspended branch or an earlier moment, in a copy
 * that is removed afterwards. Nothing changes in the branch, and its computes can start at any time.
 */
export class DatabaseSchemas implements SchemaReader {
  readonly #engine: Engine;
  readonly #use: BranchUse;
  readonly #runningOn: (dataFolder: string) => Postmaster | undefined;
  #copies = 0;

  constructor(engine: Engine, use: BranchUse, runningOn: (dataFolder: string) => Postmaster | undefined) {
    this.#engine = engine;
    this.#use = use;
    this.#runningOn = runningOn;
  }

  async sql(source: SchemaSource): Promise<string> {
    return await this.#read(source, schemaAsSql);
  }

  async json(source: SchemaSource) {
    return { tables: await this.#read(source, tablesAsJson) };
  }

  async unprotected(source: SchemaSource): Promise<readonly string[]> {
    return await this.#read(source, queryUnprotectedTables);
  }

  async #read<Result>(source: SchemaSource, read: (session: Client) => Promise<Result>): Promise<Result> {
    try {
      return await this.#use.share([source.branchId], () => repeatInterrupted(() => this.#readOnce(source, read)));
    } catch (error) {
      throw isInterruption(error) ? locked(error instanceof Error ? error.message : String(error)) : error;
    }
  }

  async #readOnce<Result>(source: SchemaSource, read: (session: Client) => Promise<Result>): Promise<Result> {
    const folder = join(this.#engine.root, folderOf.branch(source.branchId), "data");
    const before = identityOf(folder);
    const [result] = await Promise.allSettled([this.#readFrom(folder, source, read)]);
    if (identityOf(folder) !== before) throw new InterruptedError("the branch was replaced while it was read");
    if (result.status === "rejected") throw result.reason;
    return result.value;
  }

  async #readFrom<Result>(
    folder: string,
    source: SchemaSource,
    read: (session: Client) => Promise<Result>,
  ): Promise<Result> {
    const { major, moment } = source;
    const running = this.#runningOn(folder);
    if (running && moment === undefined) return await inDatabase(running, source, read);
    this.#copies += 1;
    const copies = join(this.#engine.root, schemaCopies, String(this.#copies));
    const inCopy = async (data: string): Promise<Result> =>
      await this.#engine.within(data, (_admin, copy) => inDatabase(copy, source, read));
    try {
      await makeFolder(dirname(copies), this.#engine.user);
      await makeFolder(copies, this.#engine.user);
      const data = join(copies, "data");
      // A branch that is older than the platform's first Postgres has no data until its compute starts.
      if (!existsSync(dirname(folder))) {
        await this.#engine.create(major, data);
        return await inCopy(data);
      }
      if (running) await commitBehind(await running.admin());
      else await this.#copyStopped(folder, data);
      if (moment === undefined) return await inCopy(data);
      if (!running) await this.#engine.within(data, commitBehind);
      const logs = [...(running ? [] : [join(data, "pg_wal")]), join(folder, "pg_wal")];
      const earlier = join(copies, "earlier");
      const base = await baseFor(dirname(folder), moment);
      await recoverTo(this.#engine, base.folder, logs, recoveryTarget(moment), earlier);
      return await inCopy(earlier);
    } finally {
      await removeFolder(copies);
    }
  }

  async #copyStopped(folder: string, to: string): Promise<void> {
    if (!existsSync(folder)) {
      // No Postgres has run on the branch yet.
      await copyFolder(join(dirname(folder), firstBase), to, this.#engine);
      return;
    }
    const pid = readPidFile(folder)?.pid;
    if (pid !== undefined && isAlive(pid)) throw new InterruptedError("its compute is being started or stopped");
    await copyStopped(this.#engine, folder, to);
  }
}

/** Identifies a folder: another one in its place has another number. */
const identityOf = (folder: string): number | undefined => statSync(folder, { throwIfNoEntry: false })?.ino;

/** Reads in one snapshot of a database. */
async function inDatabase<Result>(
  running: Postmaster,
  { database, oid, moment }: SchemaSource,
  read: (session: Client) => Promise<Result>,
): Promise<Result> {
  const admin = await running.admin();
  const { rows } = await admin.query<{ name: string }>(
    "SELECT datname AS name FROM pg_database WHERE oid = $1 OR datname = $2 ORDER BY oid = $1 DESC LIMIT 1",
    [oid ?? 0, database],
  );
  const name = rows[0]?.name;
  if (name === undefined && moment !== undefined) throw notFound("database");
  // Postgres has a new database only after the next start of the compute.
  const session = await running.connect(name ?? template);
  try {
    await session.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await session.query("SET LOCAL search_path = ''");
    return await read(session);
  } finally {
    await session.end();
  }
}
