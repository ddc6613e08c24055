import { Client, type Connection, DatabaseError, type QueryArrayConfig, type QueryArrayResult } from "pg";

import { ownSettings } from "../../postgres/own-settings";
import { sendCancelRequest } from "../cancellation";
import { cannotConnectNow } from "../wire-protocol";

/** A statement with its parameters in PostgreSQL's text format. */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly (string | null)[];
}

/** A result with values in PostgreSQL's text format. An empty statement has no command. */
export type QueryResult = Omit<QueryArrayResult<(string | null)[]>, "command"> & { readonly command: string | null };

/** A result is larger than allowed. The session cannot be used any more. */
export class ResultTooLarge extends Error {}

/** The longest message of Postgres that is read. `pg` makes texts of messages, and a text that is too long ends the process. */
const maxMessageBytes = 16 * 1024 * 1024;

/** Members of `pg` that its types lack. */
interface SessionClient extends Client {
  readonly processID: number;
  readonly secretKey: number;
  readonly connection: Connection & { sendCopyFail(reason: string): void };
}

/** A message of Postgres, with its length in bytes. */
interface Received {
  readonly length: number;
}

/** Sends statements to a compute, one at a time, by the extended protocol with values in text format. */
export class QuerySession {
  readonly #client: SessionClient;

  private constructor(client: SessionClient) {
    this.#client = client;
  }

  /**
   * Opens a session of a role in a database of a compute.
   *
   * @returns undefined if the compute cannot be reached at the moment
   * @throws DatabaseError if the compute refuses the session
   */
  static async open(host: string, user: string, database: string): Promise<QuerySession | undefined> {
    const types = { getTypeParser: () => String };
    const client = new Client({ ...ownSettings, host, port: 5432, user, database, types }) as SessionClient;
    // Every error also ends the session, or is the result of a statement.
    client.on("error", () => undefined);
    client.connection.on("copyInResponse", () => {
      // There is no data to copy. The copy mode has swallowed the Sync that was sent, so another one follows.
      client.connection.sendCopyFail("COPY FROM STDIN is not supported over HTTP");
      client.connection.sync();
    });
    limitMessages(client.connection);
    try {
      await client.connect();
      return new QuerySession(client);
    } catch (error) {
      client.connection.stream.destroy();
      if (error instanceof DatabaseError && error.code !== cannotConnectNow) throw error;
      return undefined;
    }
  }

  /** Whether the session can be used for another statement. */
  get isOpen(): boolean {
    const { stream } = this.#client.connection;
    return !stream.destroyed && !stream.readableEnded;
  }

  /**
   * Closes the session as soon as the compute closes it or reports an error, such as the reason for its
   * stop. To be called between statements.
   *
   * @returns a function that stops watching
   */
  watchIdle(closed: () => void): () => void {
    const stop = (): void => {
      this.#client.off("error", end).off("end", end);
    };
    const end = (): void => {
      stop();
      this.close();
      closed();
    };
    this.#client.on("error", end).on("end", end);
    return stop;
  }

  /**
   * Runs a statement, which has at most 65,535 parameters.
   *
   * @param maxBytes limits the size of the rows
   * @throws DatabaseError, ResultTooLarge. Error if the compute closes the session.
   */
  async run({ text, parameters }: Statement, maxBytes: number): Promise<QueryResult> {
    const { connection } = this.#client;
    let size = 0;
    const limit = ({ length }: Received): void => {
      size += length;
      if (size > maxBytes) connection.stream.destroy(new ResultTooLarge());
    };
    connection.on("dataRow", limit);
    try {
      const query: QueryArrayConfig<(string | null)[]> & { readonly queryMode: "extended" } = {
        text,
        values: [...parameters],
        rowMode: "array",
        queryMode: "extended",
      };
      return await this.#client.query<(string | null)[]>(query);
    } finally {
      connection.off("dataRow", limit);
    }
  }

  /** Runs statements without parameters, separated by `;`, and ignores their results. @throws as {@link run} */
  async runAll(text: string): Promise<void> {
    await this.#client.query(text);
  }

  /** Asks the compute to cancel the statement that is running. */
  async cancel(): Promise<void> {
    const { host, processID, secretKey } = this.#client;
    const backendKey = Buffer.alloc(8);
    backendKey.writeInt32BE(processID, 0);
    backendKey.writeInt32BE(secretKey, 4);
    await sendCancelRequest({ socketFolder: host, backendKey });
  }

  close(): void {
    this.#client.connection.stream.destroy();
  }
}

/** Closes a connection when a message gets too long, before all of it is in memory. */
function limitMessages(connection: Connection): void {
  let unread = 0;
  connection.on("message", () => (unread = 0));
  connection.stream.on("data", ({ length }: Buffer) => {
    unread += length;
    if (unread > maxMessageBytes) connection.stream.destroy(new ResultTooLarge());
  });
}
