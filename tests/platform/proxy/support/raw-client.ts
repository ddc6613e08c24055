import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from "node:tls";
import { ByteReader, type Message } from "../../../../platform/proxy/byte-reader";
import {
  errorFields,
  wireMessage,
  messageTypes,
  startupMessage,
  uint32,
} from "../../../../platform/proxy/wire-protocol";

const maxMessageBytes = 1 << 24;

/** A client that sends whatever a test wants. */
export class RawClient {
  readonly stream: Socket;
  readonly #reader: ByteReader;

  constructor(stream: Socket) {
    this.stream = stream;
    stream.on("error", () => undefined);
    this.#reader = new ByteReader(stream);
  }

  static async open({ host, port }: { readonly host: string; readonly port: number }): Promise<RawClient> {
    const socket: Socket = connect({ host, port });
    await once(socket, "connect");
    return new RawClient(socket);
  }

  write(...parts: readonly Uint8Array[]): void {
    this.stream.write(Buffer.concat(parts));
  }

  start(parameters: Readonly<Record<string, string>>): void {
    this.write(startupMessage(new Map(Object.entries(parameters))));
  }

  sendPassword(text: string): void {
    this.write(wireMessage(messageTypes.passwordMessage, Buffer.from(`${text}\0`)));
  }

  read(count: number): Promise<Buffer> {
    return this.#reader.read(count);
  }

  next(): Promise<Message> {
    return this.#reader.message(maxMessageBytes);
  }

  /** The messages up to one of a type. */
  async until(type: string): Promise<readonly Message[]> {
    const messages: Message[] = [];
    for (;;) {
      const received = await this.next();
      messages.push(received);
      if (received.type === type) return messages;
    }
  }

  /** The message of the error that the server sends before it closes the connection. */
  async error(): Promise<string | undefined> {
    const received = (await this.until(messageTypes.errorResponse)).at(-1);
    await this.closed();
    return received && errorFields(received.body).get("M");
  }

  /** Everything that comes until the server closes the connection. */
  async closed(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    this.stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    if (!this.stream.destroyed) await new Promise((resolve) => this.stream.once("close", resolve));
    return Buffer.concat(chunks);
  }

  close(): void {
    this.stream.destroy();
  }

  /** Begins TLS on the connection, which the server has accepted. */
  async encrypted(options: ConnectionOptions): Promise<{ readonly client: RawClient; readonly socket: TLSSocket }> {
    const socket = connectTls({ socket: this.stream, ...options });
    await once(socket, "secureConnect");
    return { client: new RawClient(socket), socket };
  }
}

/** A start packet with a code in the place of the version. */
export const startPacket = (code: number, body: Uint8Array = Buffer.alloc(0)): Buffer =>
  Buffer.concat([uint32(body.length + 8), uint32(code), body]);
