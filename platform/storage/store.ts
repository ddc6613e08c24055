import Database from "libsql";
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { Vault } from "./vault";

type Value = string | number | null;
type ColumnType = "TEXT" | "INTEGER" | "REAL";
/** Which rows are meant: those whose columns have these values; `null` is the absence of a value. */
type Where<Row> = Partial<Record<keyof Row & string, Value>>;

/** How the rows of a table are found: members of the stored object that SQL can see. */
export interface Shape<Row> {
  readonly name: string;
  readonly columns: Partial<Record<keyof Row & string, ColumnType>>;
  /** The columns that tell a row apart. */
  readonly key: readonly (keyof Row & string)[];
  readonly indexes: readonly string[];
  /** Members, at any depth, whose texts are on the disk in encrypted form only. */
  readonly secrets?: readonly string[];
}

/** Since 2 nothing secret is in plain text. */
const schemaVersion = 2;

/**
 * The platform's memory: objects as JSON in an embedded database, in a folder or only for this process.
 *
 * What a transaction has changed is on disk when it returns, and nothing of it if it throws or the process dies.
 */
export class Store {
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();
  readonly #vault: Vault;
  /** The version that has written what there is. */
  readonly #version: number;
  #inTransaction = false;

  constructor(folder: string | undefined) {
    this.#database = new Database(folder === undefined ? ":memory:" : fileIn(folder));
    try {
      // Exclusive: a second platform on the same folder must fail at its start, not corrupt the first one's view.
      this.#database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
      this.#version = this.#readVersion();
      this.#vault = folder === undefined ? Vault.ofProcess() : this.#vaultIn(folder);
    } catch (error) {
      this.#database.close();
      if (isBusy(error)) throw new Error(`another platform uses the data folder ${String(folder)}`, { cause: error });
      throw error;
    }
  }

  /** The table of a shape, made if it is not there. */
  table<Row extends object>(shape: Shape<Row>): Table<Row> {
    const columns = Object.entries(shape.columns).map(([name, type]) => ({
      name,
      definition: `"${name}" ${type as ColumnType} GENERATED ALWAYS AS (body ->> '$.${name}') VIRTUAL`,
    }));
    const key = shape.key.map((name) => `"${name}"`).join(", ");
    const definitions = columns.map(({ definition }) => definition).join(", ");
    this.#database.exec(`CREATE TABLE IF NOT EXISTS ${shape.name} (body TEXT NOT NULL, ${definitions})`);
    const present = this.#columnsOf(shape.name);
    this.#database.exec(
      [
        // An older version has written this folder: what the new columns show is in the objects, or absent.
        ...columns
          .filter(({ name }) => !present.has(name))
          .map(({ definition }) => `ALTER TABLE ${shape.name} ADD COLUMN ${definition}`),
        `CREATE UNIQUE INDEX IF NOT EXISTS ${shape.name}_key ON ${shape.name} (${key})`,
        ...shape.indexes.map(
          (index, position) => `CREATE INDEX IF NOT EXISTS ${shape.name}_${position} ON ${shape.name} (${index})`,
        ),
      ].join(";"),
    );
    return new Table(this, { name: shape.name, key, secrets: shape.secrets ?? [], vault: this.#vault });
  }

  /** Has what an older version has written changed, once; not a byte of what stood there before is left on the disk. */
  upgrade(work: () => void): void {
    if (this.#version === schemaVersion) return;
    this.transaction(work);
    // Free pages and the log still hold it. If this is interrupted, all of it is done again.
    this.#database.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
    this.#database.exec(`PRAGMA user_version = ${schemaVersion}`);
  }

  /** Runs work as one change: all of it or nothing. Inside another transaction it is part of that one. */
  transaction<Result>(work: () => Result): Result {
    if (this.#inTransaction) return work();
    this.#database.exec("BEGIN IMMEDIATE");
    this.#inTransaction = true;
    try {
      const result = work();
      this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec("ROLLBACK");
      throw error;
    } finally {
      this.#inTransaction = false;
    }
  }

  /** A prepared statement, kept for the next time. */
  statement(sql: string): Database.Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const prepared = this.#database.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }

  close(): void {
    // Statements that are not collected yet would keep the file locked: give it back first.
    this.#database.exec("PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL");
    this.#database.prepare("PRAGMA user_version").get();
    this.#database.close();
  }

  #columnsOf(table: string): Set<string> {
    const found = this.#database.prepare(`PRAGMA table_xinfo(${table})`).all() as { name: string }[];
    return new Set(found.map(({ name }) => name));
  }

  #readVersion(): number {
    const { user_version: version } = this.#database.prepare("PRAGMA user_version").get() as { user_version: number };
    if (version > schemaVersion) {
      throw new Error(`the data is of version ${version}, and this platform reads version ${schemaVersion}`);
    }
    if (version > 0) return version;
    this.#database.exec(`PRAGMA user_version = ${schemaVersion}`);
    return schemaVersion;
  }

  /** The vault with which the data in a folder was encrypted, or will be from now on. */
  #vaultIn(folder: string): Vault {
    this.#database.exec("CREATE TABLE IF NOT EXISTS vault (proof TEXT NOT NULL)");
    const found = this.#database.prepare("SELECT proof FROM vault").get() as { proof: string } | undefined;
    const vault = Vault.ofFile(join(folder, "platform.key"), found?.proof);
    if (!found) this.#database.prepare("INSERT INTO vault (proof) VALUES (?)").run(vault.proof);
    return vault;
  }
}

/** What a table is made of: its name, the columns of its key as SQL, and what of it the vault encrypts. */
interface TableParts {
  readonly name: string;
  readonly key: string;
  readonly secrets: readonly string[];
  readonly vault: Vault;
}

/** What is written for a member of a stored object, or read from it. */
type Coding = (member: string, value: unknown) => unknown;

/** Objects of one kind. */
export class Table<Row extends object> {
  readonly #store: Store;
  readonly #name: string;
  readonly #key: string;
  readonly #sealed: Coding | undefined;
  readonly #opened: Coding | undefined;

  constructor(store: Store, { name, key, secrets, vault }: TableParts) {
    this.#store = store;
    this.#name = name;
    this.#key = key;
    const texts =
      (coded: (text: string) => string): Coding =>
      (member, value) =>
        secrets.includes(member) && typeof value === "string" ? coded(value) : value;
    if (secrets.length === 0) return;
    this.#sealed = texts((text) => vault.seal(text));
    this.#opened = texts((text) => vault.open(text));
  }

  /** Writes an object, over the one with the same key if there is one. */
  put(row: Row): void {
    const sql = `INSERT INTO ${this.#name} (body) VALUES (?) ON CONFLICT (${this.#key}) DO UPDATE SET body = excluded.body`;
    this.#store.statement(sql).run(JSON.stringify(row, this.#sealed));
  }

  /** The first object that has these values. */
  get(where: Where<Row>): Row | undefined {
    return this.list(where, "LIMIT 1")[0];
  }

  /** All objects that have these values; `rest` goes on in SQL after the conditions. */
  list(where: Where<Row>, rest = "", ...parameters: readonly Value[]): Row[] {
    const { sql, values } = conditions(where);
    return this.#store
      .statement(`SELECT body FROM ${this.#name} ${sql} ${rest}`)
      .all(...values, ...parameters)
      .map((found) => JSON.parse((found as { body: string }).body, this.#opened) as Row);
  }

  count(where: Where<Row>, rest = "", ...parameters: readonly Value[]): number {
    return Number(this.#value(`count(*)`, where, rest, parameters));
  }

  /** The smallest value of a column. */
  smallest(column: keyof Row & string, where: Where<Row>, rest = ""): Value {
    return this.#value(`min("${column}")`, where, `AND "${column}" IS NOT NULL ${rest}`, []);
  }

  /** The greatest value of a column. */
  greatest(column: keyof Row & string): Value {
    return this.#value(`max("${column}")`, {}, "", []);
  }

  remove(where: Where<Row>): void {
    const { sql, values } = conditions(where);
    this.#store.statement(`DELETE FROM ${this.#name} ${sql}`).run(...values);
  }

  #value(expression: string, where: Where<Row>, rest: string, parameters: readonly Value[]): Value {
    const { sql, values } = conditions(where);
    const found = this.#store
      .statement(`SELECT ${expression} AS value FROM ${this.#name} ${sql} ${rest}`)
      .get(...values, ...parameters);
    return (found as { value: Value }).value;
  }
}

function conditions(where: object): { sql: string; values: Value[] } {
  const entries = Object.entries(where) as [string, Value][];
  const terms = entries.map(([name, value]) => (value === null ? `"${name}" IS NULL` : `"${name}" = ?`));
  return { sql: `WHERE ${["1", ...terms].join(" AND ")}`, values: entries.flatMap(([, v]) => (v === null ? [] : [v])) };
}

/** The database's file in a folder; neither is readable for other users. */
function fileIn(folder: string): string {
  const isNew = !existsSync(folder) || readdirSync(folder).length === 0;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (isNew) chmodSync(folder, 0o700);
  const file = join(folder, "platform.db");
  closeSync(openSync(file, "a", 0o600));
  return file;
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
}
