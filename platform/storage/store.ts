import Database from "libsql";
import { chmodSync, closeSync, existsSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { systemClock } from "../clock";
import { type Change, ChangeFeed } from "./change-feed";
import { DataFolder } from "./data-folder";
import { makeFolder } from "./make-folder";
import { problemOf } from "./storage-error";
import { createTable, Table, type TableDefinition } from "./table";
import { Vault, vaultKeyFileName } from "./vault";

/** The version of the tables, their columns and what their values mean. Data of another version is rejected. */
const dataVersion = 1;

/** The file of a data folder that holds the rows. */
export const databaseFileName = "platform.db";

/**
 * The platform's data: an embedded SQL database, in a folder or in memory.
 *
 * A transaction is durable when it returns: after `kill -9`, the data folder holds every change that was acknowledged and
 * no part of a change that was not. The scheduler continues operations in progress from what is stored about them.
 *
 * A commit publishes the rows that it has changed in {@link Store.feed}. Everything that follows from a change starts there.
 */
export class Store {
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();
  readonly #vault: Vault;
  readonly #folder: DataFolder;
  /** Publishes the changes of each commit. */
  readonly feed: ChangeFeed;
  /** The changes of the transaction in progress; undefined without one. */
  #changes: Change[] | undefined;

  /** @param dataFolder notices when the folder cannot be used any more */
  constructor(folder: string | undefined, dataFolder = new DataFolder(folder, systemClock), clock = systemClock) {
    this.#folder = dataFolder;
    this.feed = new ChangeFeed(dataFolder, clock);
    this.#database = new Database(folder === undefined ? ":memory:" : databaseFile(folder));
    try {
      // The exclusive lock lets a second platform on the same folder fail at its start, before it changes anything.
      this.#database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
      this.#checkVersion(folder);
      this.#vault = folder === undefined ? Vault.inMemory() : this.#openVault(folder);
      if (folder !== undefined) dataFolder.watchFile(join(folder, databaseFileName));
    } catch (error) {
      this.#database.close();
      if (isBusy(error)) throw new Error(`${inUse} ${String(folder)}`, { cause: error });
      throw error;
    }
  }

  /** Opens a table. Creates it if it does not exist. */
  table<Row extends object, Definition extends TableDefinition<Row>>(
    definition: TableDefinition<Row> & Definition,
  ): Table<Row, Definition> {
    createTable(this.#database, definition);
    return new Table(this, definition, this.#vault);
  }

  /**
   * Runs work as one transaction, which is rolled back if the work throws, and publishes its changes. A nested call joins the
   * outer transaction.
   *
   * @throws StorageError if the data folder cannot be used
   */
  transaction<Result>(work: () => Result): Result {
    if (this.#changes) return work();
    this.checkFolder();
    const changes: Change[] = [];
    const result = this.#commit(work, changes);
    // Only a transaction that has written something proves that there is space again.
    if (changes.length > 0 && this.#folder.isFailing) this.#folder.recover();
    this.feed.publish(changes);
    return result;
  }

  /** A secret for one purpose. It stays the same as long as the data. */
  secretFor(purpose: string): string {
    return this.#vault.secretFor(purpose);
  }

  /** Called for each change of rows. */
  changed(change: Change): void {
    if (this.#changes) this.#changes.push(change);
    else this.feed.publish([change]);
  }

  /** @throws StorageError if a file is not in its place, or cannot be accessed */
  checkFolder(): void {
    this.#folder.check();
  }

  /** Replaces an error of the database file, or of a full disk, by a StorageError. Other errors stay as they are. */
  explain(error: unknown): unknown {
    return this.#folder.explainStored(error);
  }

  /** A prepared statement, from a cache. */
  statement(sql: string): Database.Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const prepared = this.#database.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }

  /** Closes the files. Changes that could not be merged into the database stay in its log for the next start. */
  close(): void {
    closeUnlocked(this.#database);
  }

  #commit<Result>(work: () => Result, changes: Change[]): Result {
    this.#changes = changes;
    try {
      this.#database.exec("BEGIN IMMEDIATE");
      const result = work();
      this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec("ROLLBACK");
      throw this.explain(error);
    } finally {
      this.#changes = undefined;
    }
  }

  /** A new file has version 0. It gets its version before it gets tables. */
  #checkVersion(folder: string | undefined): void {
    const { user_version: version } = this.#database.prepare("PRAGMA user_version").get() as { user_version: number };
    if (version === dataVersion) return;
    if (version !== 0) {
      throw new Error(
        `the data folder ${String(folder)} has version ${version}, but this release of neon-platform reads version ` +
          `${dataVersion} only. Use another data folder, or the release that wrote this one`,
      );
    }
    this.#database.exec(`PRAGMA user_version = ${dataVersion}`);
  }

  /** Opens the vault of a data folder. A value encrypted with its key tells later whether the key file is the right one. */
  #openVault(folder: string): Vault {
    this.#database.exec("CREATE TABLE IF NOT EXISTS vault (proof TEXT NOT NULL)");
    const found = this.#database.prepare("SELECT proof FROM vault").get() as { proof: string } | undefined;
    const vault = Vault.fromKeyFile(join(folder, vaultKeyFileName), found?.proof);
    if (!found) this.#database.prepare("INSERT INTO vault (proof) VALUES (?)").run(vault.keyCheck);
    return vault;
  }
}

/** The path of the database file in a folder. Both are accessible to the current user only. */
function databaseFile(folder: string): string {
  const isNew = !existsSync(folder) || readdirSync(folder).length === 0;
  makeFolder(folder);
  if (isNew) chmodSync(folder, 0o700);
  const file = join(folder, databaseFileName);
  closeSync(openSync(file, "a", 0o600));
  return file;
}

/** The beginning of the error of a platform whose data folder another one uses. */
export const inUse = "another platform uses the data folder";

/**
 * Prevents platforms from starting on an existing data folder, until the returned function is called.
 *
 * @throws Error if a platform runs on it
 */
export function lockData(folder: string): () => void {
  const database = new Database(join(folder, databaseFileName));
  try {
    // In this mode, all data is in one file.
    database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (isBusy(error)) throw new Error(`a platform runs on ${folder}; stop it first`, { cause: error });
    throw error;
  }
  return () => {
    database.exec("ROLLBACK");
    closeUnlocked(database);
  };
}

/** Statements that are not garbage-collected yet keep the file locked, so release the lock explicitly. */
function closeUnlocked(database: Database.Database): void {
  try {
    database.exec("PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL");
    database.prepare("PRAGMA user_version").get();
  } catch (error) {
    // The disk is full, or the folder is gone. The lock ends with the process.
    if (problemOf(error) === undefined) throw error;
  }
  database.close();
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
}
