import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { createWebSocketStream, type WebSocket, WebSocketServer } from "ws";

import type { Clock } from "../clock";
import { ByteReader } from "./byte-reader";
import type { ClientConnection } from "./connection";
import type { SessionClient } from "./session";
import { readStart } from "./start-packet";
import { endGracefully, handshakeMs, withTimeLimit } from "./time-limit";

/** The largest frame that a client may send. */
const maxFrameBytes = 16 * 1024 * 1024;

export interface WebSocketServices {
  readonly clock: Clock;
  readonly serveSession: (client: SessionClient) => Promise<void>;
  readonly cancel: (key: Buffer, clientAddress: string) => Promise<void>;
  /** The endpoint to which an address belongs, if computes do not share it. */
  readonly endpointOfAddress: (address: string, port: number) => string | undefined;
}

/** Serves PostgreSQL's protocol in the binary frames of WebSockets. A frame is any piece of the stream. */
export class WebSocketFrontEnd {
  readonly #services: WebSocketServices;
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
  });

  constructor(services: WebSocketServices) {
    this.#services = services;
  }

  /** Upgrades a connection. Refuses other requests, and closes their connections. */
  accept(request: IncomingMessage, client: ClientConnection, head: Buffer): void {
    this.#server.handleUpgrade(request, client.stream, head, (webSocket) => {
      void this.#serve(webSocket, request, client);
    });
  }

  close(): void {
    for (const webSocket of this.#server.clients) webSocket.terminate();
  }

  async #serve(webSocket: WebSocket, request: IncomingMessage, client: ClientConnection): Promise<void> {
    webSocket.on("message", (_data, isBinary) => {
      if (!isBinary) webSocket.terminate();
    });
    const stream = createWebSocketStream(webSocket);
    // Every error also closes the stream, which is handled below.
    stream.on("error", () => undefined);
    try {
      await this.#serveStream(stream, request, client);
      endGracefully(this.#services.clock, stream, () => {
        webSocket.terminate();
      });
    } catch {
      webSocket.terminate();
    }
  }

  async #serveStream(stream: Duplex, request: IncomingMessage, client: ClientConnection): Promise<void> {
    const { clock, serveSession, cancel } = this.#services;
    const start = await withTimeLimit(
      clock,
      handshakeMs,
      () => new Error("the handshake has timed out"),
      readStart(stream, new ByteReader(stream), { encrypted: false, canEncrypt: false }),
    );
    if (start.kind === "cancel") await cancel(start.key, client.clientAddress);
    if (start.kind !== "session") return;
    const named = this.#serverOf(request);
    await serveSession({
      ...client,
      stream,
      authentication: "cleartext",
      serverName: named?.host,
      endpointId: (named && this.#services.endpointOfAddress(named.host, named.port)) ?? client.endpointId,
      parameters: start.parameters,
    });
  }

  /** The server that the client addresses: `?address=<host>:<port>` of the driver's setting `wsProxy`, or the host of the URL. */
  #serverOf(request: IncomingMessage): { readonly host: string; readonly port: number } | undefined {
    try {
      const { searchParams, host } = new URL(request.url ?? "", `http://${request.headers.host ?? ""}`);
      const named = new URL(`http://${searchParams.get("address") ?? host}`);
      return { host: named.hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(named.port === "" ? 80 : named.port) };
    } catch {
      return undefined;
    }
  }
}
