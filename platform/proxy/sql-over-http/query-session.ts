import type { Socket } from "node:net";

import { ByteReader, ConnectionClosed, type Message } from "../byte-reader";
import { sendCancelRequest } from "../cancellation";
import type { ComputeSession } from "../compute-connection";
import { cString, errorFields, wireMessage, messageTypes, uint16, uint32 } from "../wire-protocol";
import { DatabaseError } from "./database-error";

/** A statement with its parameters in PostgreSQL's text format. */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly (string | null)[];
}

/** A column, as RowDescription describes it. */
export interface Field {
  readonly name: string;
  readonly tableID: number;
  readonly columnID: number;
  readonly dataTypeID: number;
  readonly dataTypeSize: number;
  readonly dataTypeModifier: number;
}

export interface QueryResult {
  readonly fields: readonly Field[];
  /** Values in PostgreSQL's text format. */
  readonly rows: readonly (readonly (string | null)[])[];
  /** The tag of the command, such as `INSERT 0 2`; empty for an empty statement. */
  readonly commandTag: string;
}

/** The rows of a result are larger than allowed. The session cannot be used any more. */
export class ResultTooLarge extends Error {}

const nullLength = -1;
const maxMessageBytes = 1 << 30;

/** Sends statements to a compute, one at a time, by the extended protocol with values in text format. */
export class QuerySession {
  readonly #session: ComputeSession;
  readonly #socket: Socket;
  readonly #reader: ByteReader;

  constructor(session: ComputeSession) {
    this.#session = session;
    this.#socket = session.socket;
    this.#reader = new ByteReader(session.socket);
  }

  /** Whether the session can be used for another statement. */
  get isOpen(): boolean {
    return !this.#socket.destroyed && !this.#socket.readableEnded;
  }

  /**
   * Closes the session as soon as the compute closes it or sends something, such as the reason for its
   * stop. To be called between statements.
   *
   * @returns a function that stops watching
   */
  watchIdle(closed: () => void): () => void {
    const stop = (): void => {
      this.#socket.off("readable", end).off("close", end);
    };
    const end = (): void => {
      stop();
      this.close();
      closed();
    };
    this.#socket.on("readable", end).on("close", end);
    return stop;
  }

  /**
   * Runs a statement, which has at most 65,535 parameters.
   *
   * @param maxBytes limits the size of the rows
   * @throws DatabaseError, ResultTooLarge. ConnectionClosed if the compute closes the session.
   */
  async run({ text, parameters }: Statement, maxBytes: number): Promise<QueryResult> {
    this.#socket.write(
      Buffer.concat([
        wireMessage(messageTypes.parse, cString(""), cString(text), uint16(0)),
        wireMessage(
          messageTypes.bind,
          cString(""),
          cString(""),
          uint16(0),
          uint16(parameters.length),
          ...parameters.map((value) => encodedValue(value)),
          uint16(0),
        ),
        wireMessage(messageTypes.describe, Buffer.from("P"), cString("")),
        wireMessage(messageTypes.execute, cString(""), uint32(0)),
        wireMessage(messageTypes.sync),
      ]),
    );
    return this.#readResult(maxBytes);
  }

  /** Runs statements without parameters, separated by `;`, and ignores their results. @throws as {@link run} */
  async runAll(text: string): Promise<void> {
    this.#socket.write(wireMessage(messageTypes.query, cString(text)));
    await this.#readResult(maxMessageBytes);
  }

  /** Asks the compute to cancel the statement that is running. */
  async cancel(): Promise<void> {
    const { backendKey, socketFolder } = this.#session;
    if (backendKey) await sendCancelRequest({ socketFolder, backendKey });
  }

  close(): void {
    this.#socket.destroy();
  }

  async #readResult(maxBytes: number): Promise<QueryResult> {
    let fields: readonly Field[] = [];
    let commandTag = "";
    let size = 0;
    let error: DatabaseError | undefined;
    const rows: (string | null)[][] = [];
    for (;;) {
      const { type, body } = await this.#next(error);
      switch (type) {
        case messageTypes.rowDescription:
          fields = readFields(body);
          break;
        case messageTypes.dataRow:
          size += body.length;
          if (size > maxBytes) {
            this.close();
            throw new ResultTooLarge();
          }
          rows.push(readRow(body));
          break;
        case messageTypes.commandComplete:
          commandTag = body.toString("utf8", 0, body.length - 1);
          break;
        case messageTypes.copyInResponse:
          // There is no data to copy. The copy mode has swallowed the Sync that was sent, so another one follows.
          this.#socket.write(
            Buffer.concat([
              wireMessage(messageTypes.copyFail, cString("COPY FROM STDIN is not supported over HTTP")),
              wireMessage(messageTypes.sync),
            ]),
          );
          break;
        case messageTypes.errorResponse:
          error ??= new DatabaseError(errorFields(body));
          break;
        case messageTypes.readyForQuery:
          if (error) throw error;
          return { fields, rows, commandTag };
      }
    }
  }

  /** The next message. If the compute has reported an error and closed the session, throws that error. */
  async #next(error: DatabaseError | undefined): Promise<Message> {
    try {
      return await this.#reader.message(maxMessageBytes);
    } catch (failure) {
      this.close();
      throw failure instanceof ConnectionClosed && error ? error : failure;
    }
  }
}

function encodedValue(value: string | null): Buffer {
  if (value === null) {
    const length = Buffer.alloc(4);
    length.writeInt32BE(nullLength);
    return length;
  }
  const bytes = Buffer.from(value);
  return Buffer.concat([uint32(bytes.length), bytes]);
}

function readFields(body: Buffer): readonly Field[] {
  const fields: Field[] = [];
  let at = 2;
  for (let count = body.readUInt16BE(0); count > 0; count--) {
    const end = body.indexOf(0, at);
    const name = body.toString("utf8", at, end);
    at = end + 1;
    fields.push({
      name,
      tableID: body.readUInt32BE(at),
      columnID: body.readInt16BE(at + 4),
      dataTypeID: body.readUInt32BE(at + 6),
      dataTypeSize: body.readInt16BE(at + 10),
      dataTypeModifier: body.readInt32BE(at + 12),
    });
    // The last two bytes are the format, which is always text.
    at += 18;
  }
  return fields;
}

function readRow(body: Buffer): (string | null)[] {
  const values: (string | null)[] = [];
  let at = 2;
  for (let count = body.readUInt16BE(0); count > 0; count--) {
    const length = body.readInt32BE(at);
    at += 4;
    if (length === nullLength) {
      values.push(null);
    } else {
      values.push(body.toString("utf8", at, at + length));
      at += length;
    }
  }
  return values;
}
