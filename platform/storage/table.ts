import type Database from "libsql";

import { notFound } from "../http-error";
import type { Change } from "./change-feed";
import type { Vault } from "./vault";

type ColumnValue = string | number | null;
/** Selects the rows whose columns have these values; `null` selects rows without a value. */
type Where<Row> = Partial<Record<keyof Row & string, ColumnValue>>;

export interface TableDefinition<Row> {
  readonly name: string;
  /** The members that queries can use besides those of the key and the indexes. */
  readonly columns?: readonly (keyof Row & string)[];
  /** Default: `id`. */
  readonly primaryKey?: readonly (keyof Row & string)[];
  readonly indexes?: readonly string[];
  /** Members, at any depth, whose texts are encrypted in the file. */
  readonly encrypted?: readonly string[];
  /** The column with the latest timestamp of a row; undefined if the rows have no drawn timestamps. */
  readonly latest?: keyof Row & string;
}

const usualKey = ["id"] as const;

/** Compiles SQL, and records changes; see {@link Store}. */
interface Statements {
  statement(sql: string): Database.Statement;
  changed(change: Change): void;
}

/** Replaces the value of a member while a row is written or read. */
type Replacer = (member: string, value: unknown) => unknown;

/** The rows of one kind. A row is stored as JSON, from which its columns are computed. */
export class Table<Row extends object, Definition extends TableDefinition<Row> = TableDefinition<Row>> {
  readonly definition: Definition;
  readonly #statements: Statements;
  readonly #name: string;
  readonly #primaryKey: readonly string[];
  readonly #encrypt: Replacer | undefined;
  readonly #decrypt: Replacer | undefined;

  constructor(statements: Statements, definition: Definition, vault: Vault) {
    const { name, primaryKey, encrypted = [] } = definition;
    this.definition = definition;
    this.#statements = statements;
    this.#name = name;
    this.#primaryKey = primaryKey ?? usualKey;
    if (encrypted.length === 0) return;
    const replaceTexts =
      (convert: (text: string) => string): Replacer =>
      (member, value) =>
        encrypted.includes(member) && typeof value === "string" ? convert(value) : value;
    this.#encrypt = replaceTexts((text) => vault.encrypt(text));
    this.#decrypt = replaceTexts((text) => vault.decrypt(text));
  }

  /** Inserts a row, or replaces the row with the same primary key. */
  put(row: Row): void {
    const change = `ON CONFLICT (${quoted(this.#primaryKey)}) DO UPDATE SET body = excluded.body`;
    const insert = this.#statements.statement(`INSERT INTO ${this.#name} (body) VALUES (?) ${change}`);
    insert.run(JSON.stringify(row, this.#encrypt));
    this.#statements.changed({ topic: this.definition, row });
  }

  /** The first row that matches. */
  get(where: Where<Row>): Row | undefined {
    return this.list(where, "LIMIT 1")[0];
  }

  /**
   * The first row that matches.
   *
   * @throws HttpError 404 that names the missing object
   */
  getOr404(what: string, where: Where<Row>): Row {
    const found = this.get(where);
    if (!found) throw notFound(what);
    return found;
  }

  /** All rows that match. `rest` is SQL that follows the conditions. */
  list(where: Where<Row>, rest = "", ...parameters: readonly ColumnValue[]): Row[] {
    const { sql, values } = whereClause(where);
    return this.#statements
      .statement(`SELECT body FROM ${this.#name} ${sql} ${rest}`)
      .all(...values, ...parameters)
      .map((found) => JSON.parse((found as { body: string }).body, this.#decrypt) as Row);
  }

  count(where: Where<Row>, rest = "", ...parameters: readonly ColumnValue[]): number {
    return Number(this.#aggregate("count(*)", where, rest, parameters));
  }

  /** The latest timestamp of all rows. */
  latest(): string | undefined {
    const { latest } = this.definition;
    if (latest === undefined) return undefined;
    const found = this.#aggregate(`max("${latest}")`, {}, "", []);
    return typeof found === "string" ? found : undefined;
  }

  delete(where: Where<Row>): void {
    const { sql, values } = whereClause(where);
    const { changes } = this.#statements.statement(`DELETE FROM ${this.#name} ${sql}`).run(...values);
    if (changes > 0) this.#statements.changed({ topic: this.definition, deleted: where });
  }

  /** Deletes the row with the same primary key. */
  remove(row: Row): void {
    this.delete(
      Object.fromEntries(this.#primaryKey.map((name) => [name, row[name as keyof Row]])) as unknown as Where<Row>,
    );
  }

  #aggregate(expression: string, where: Where<Row>, rest: string, parameters: readonly ColumnValue[]): ColumnValue {
    const { sql, values } = whereClause(where);
    const found = this.#statements
      .statement(`SELECT ${expression} AS value FROM ${this.#name} ${sql} ${rest}`)
      .get(...values, ...parameters);
    return (found as { value: ColumnValue }).value;
  }
}

/** Creates a table with its columns and indexes, unless it exists. */
export function createTable<Row extends object>(
  database: Database.Database,
  { name, columns = [], primaryKey, indexes = [], latest }: TableDefinition<Row>,
): void {
  const key: readonly string[] = primaryKey ?? usualKey;
  const indexed = indexes.flatMap((index) => index.match(/\w+/g) ?? []);
  const all = new Set<string>([...key, ...indexed, ...columns, ...(latest === undefined ? [] : [latest])]);
  const columnSql = [...all].map((column) => `"${column}" GENERATED ALWAYS AS (body ->> '$.${column}') VIRTUAL`);
  database.exec(
    [
      `CREATE TABLE IF NOT EXISTS ${name} (${["body TEXT NOT NULL", ...columnSql].join(", ")})`,
      `CREATE UNIQUE INDEX IF NOT EXISTS ${name}_key ON ${name} (${quoted(key)})`,
      ...indexes.map((index, position) => `CREATE INDEX IF NOT EXISTS ${name}_${position} ON ${name} (${index})`),
    ].join(";"),
  );
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}

function whereClause(where: object): { sql: string; values: ColumnValue[] } {
  const entries = Object.entries(where) as [string, ColumnValue][];
  const terms = entries.map(([name, value]) => (value === null ? `"${name}" IS NULL` : `"${name}" = ?`));
  return { sql: `WHERE ${["1", ...terms].join(" AND ")}`, values: entries.flatMap(([, v]) => (v === null ? [] : [v])) };
}
