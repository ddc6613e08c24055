import type { Duplex } from "node:stream";

import { messageTypes } from "./wire-protocol";

/** The other side has closed the connection. */
export class ConnectionClosed extends Error {
  constructor() {
    super("the connection was closed");
  }
}

/** The other side has sent bytes that are not PostgreSQL's protocol. It gets no answer. */
export class ProtocolViolation extends Error {}

/** A message of the protocol. */
export interface Message {
  readonly type: string;
  readonly body: Buffer;
}

const headerBytes = 5;
const lengthBytes = 4;

/**
 * Reads a stream in exact pieces and leaves everything after them in it, so that it can be piped or handed to TLS
 * afterwards. One read at a time.
 */
export class ByteReader {
  readonly #stream: Duplex;

  constructor(stream: Duplex) {
    this.#stream = stream;
  }

  /** The next bytes. @throws ConnectionClosed if the stream ends before. */
  async read(count: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for (let missing = count; missing > 0;) {
      // A read of more bytes than there are would loop, because the stream reports again and again that it is readable.
      const available = Math.min(missing, Math.max(this.#stream.readableLength, 1));
      const bytes = this.#stream.read(available) as Buffer | null;
      if (bytes !== null) {
        pieces.push(bytes);
        missing -= bytes.length;
      } else {
        if (this.#stream.readableEnded || this.#stream.destroyed) throw new ConnectionClosed();
        await this.#nextEvent();
      }
    }
    return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
  }

  /**
   * The first byte, which stays in the stream.
   *
   * @throws ConnectionClosed
   */
  async peek(): Promise<number> {
    const byte = await this.read(1);
    this.#stream.unshift(byte);
    return byte.readUInt8(0);
  }

  /**
   * The next message.
   *
   * @throws ProtocolViolation if it is longer than `maxBytes`, ConnectionClosed
   */
  async message(maxBytes: number): Promise<Message> {
    const header = await this.read(headerBytes);
    const length = header.readUInt32BE(1) - lengthBytes;
    if (length < 0 || length > maxBytes) throw new ProtocolViolation("a message has an invalid length");
    return { type: header.toString("latin1", 0, 1), body: await this.read(length) };
  }

  /** The body of the client's next message, which must be a password or a SASL response. */
  async password(maxBytes: number): Promise<Buffer> {
    const { type, body } = await this.message(maxBytes);
    if (type !== messageTypes.passwordMessage) throw new ProtocolViolation("expected a password message");
    return body;
  }

  #nextEvent(): Promise<void> {
    const stream = this.#stream;
    return new Promise((resolve) => {
      const events = ["readable", "end", "close", "error"];
      const settle = (): void => {
        for (const event of events) stream.off(event, settle);
        resolve();
      };
      for (const event of events) stream.on(event, settle);
    });
  }
}
