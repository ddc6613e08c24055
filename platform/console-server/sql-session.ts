import { connect } from "node:net";
import { Client, type FieldDef, Query } from "pg";

import { postgresPort } from "../model/databases";
import { ownSettings } from "../postgres/own-settings";
import type { StatementError, StatementResult } from "./protocol";

const mostRows = 1_000;
/** A result with more bytes on the wire ends the session. */
const mostBytes = 16 << 20;
/** A longer value is cut. */
const mostValueLength = 10_000;
const connectMs = 60_000;
/** The number of a request to cancel, in the protocol of Postgres. */
const cancelCode = 80_877_102;

/** A session in which the page runs statements, one after another. Large results do not fill the memory. */
export class SqlSession {
  readonly #client: Client;
  readonly #uri: string;
  readonly #now: () => number;
  #running = false;
  #bytes = 0;
  #ended: string | undefined;

  private constructor(uri: string, now: () => number) {
    this.#uri = uri;
    this.#now = now;
    this.#client = new Client({
      ...ownSettings,
      connectionString: uri,
      connectionTimeoutMillis: connectMs,
      application_name: "console",
      types: { getTypeParser: () => (text: string | Buffer) => String(text) },
    });
    // An error that ends the session also fails the statement in progress, which reports it.
    this.#client.on("error", () => undefined);
  }

  static async open(uri: string, now: () => number): Promise<SqlSession> {
    const session = new SqlSession(uri, now);
    await session.#client.connect();
    session.#limitBytes();
    return session;
  }

  /** Runs one statement. Rejects with the error of Postgres. */
  async run(text: string): Promise<StatementResult> {
    const began = this.#now();
    this.#bytes = 0;
    const rows: (readonly (string | null)[])[] = [];
    let isCut = false;
    // The types of this class do not allow rows that are arrays.
    const query = new Query({ text, rowMode: "array" } as { text: string });
    const result = await new Promise<{ command: string; rowCount: number | null; fields: FieldDef[] }>(
      (resolve, reject) => {
        query.on("row", (row: unknown) => {
          if (rows.length < mostRows) rows.push((row as (string | null)[]).map(shortened));
          else isCut = true;
        });
        query.on("end", (ended) => resolve(last(ended)));
        query.on("error", (error: Error) => reject(this.#ended === undefined ? error : new Error(this.#ended)));
        this.#running = true;
        this.#client.query(query);
      },
    ).finally(() => (this.#running = false));
    const milliseconds = this.#now() - began;
    const { command, rowCount, fields } = result;
    return { command, rowCount, fields: await this.#named(fields), rows, isCut, milliseconds };
  }

  /** Ends the statement in progress, and the session. */
  async close(): Promise<void> {
    if (this.#running) await cancel(this.#uri, this.#client);
    await this.#client.end().catch(() => undefined);
  }

  /** Counts the bytes that arrive, and ends the session when a result is too long. */
  #limitBytes(): void {
    const { stream } = (
      this.#client as unknown as { connection: { stream: NodeJS.ReadableStream & { destroy(): void } } }
    ).connection;
    stream.on("data", (chunk: Buffer) => {
      this.#bytes += chunk.length;
      if (this.#bytes <= mostBytes || this.#ended !== undefined) return;
      this.#ended = `the result is longer than ${mostBytes >> 20} MB, so the session was ended; use LIMIT`;
      stream.destroy();
    });
  }

  /** The fields with the names of their types, as SQL writes them. */
  async #named(fields: readonly FieldDef[]): Promise<{ name: string; type: string }[]> {
    if (fields.length === 0) return [];
    const asked = fields.map(({ dataTypeID: oid, dataTypeModifier: modifier }) => `(${oid}, ${modifier})`).join(", ");
    try {
      const { rows } = await this.#client.query<{ type: string }>(
        `SELECT format_type(oid::oid, modifier) AS type FROM (VALUES ${asked}) AS asked (oid, modifier)`,
      );
      return fields.map(({ name }, index) => ({ name, type: rows[index]?.type ?? "" }));
    } catch {
      // A transaction that has failed allows no further query.
      return fields.map(({ name }) => ({ name, type: "" }));
    }
  }
}

/** The members of a client that are needed to cancel its statement. Its types leave them out. */
interface Cancellable {
  readonly processID: number;
  readonly secretKey: number;
}

/** Asks the server to cancel the statement of a client. The server answers nothing, and closes the connection. */
async function cancel(uri: string, client: Client): Promise<void> {
  const { processID, secretKey } = client as unknown as Cancellable;
  const { hostname, port } = new URL(uri);
  const request = Buffer.alloc(16);
  for (const [index, value] of [16, cancelCode, processID, secretKey].entries()) request.writeInt32BE(value, 4 * index);
  await new Promise<void>((resolve) => {
    connect(port === "" ? postgresPort : Number(port), hostname)
      .on("error", () => resolve())
      .on("close", () => resolve())
      .end(request)
      .resume();
  });
}

/** The error of a statement that has failed. */
export function statementError(error: unknown): StatementError {
  const { message, code, detail, hint, position } = error as Partial<Record<keyof StatementError, string>>;
  return {
    message: message ?? String(error),
    code,
    detail,
    hint,
    position: position === undefined ? undefined : Number(position),
  };
}

const last = <Result>(results: Result | Result[]): Result =>
  Array.isArray(results) ? (results.at(-1) as Result) : results;

const shortened = (value: string | null): string | null =>
  value !== null && value.length > mostValueLength ? `${value.slice(0, mostValueLength)}…` : value;
