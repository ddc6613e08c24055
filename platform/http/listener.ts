import { once } from "node:events";
import { type IncomingMessage, type Server, type ServerOptions, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";

import { systemClock } from "../clock";

/** Longer than clients keep idle connections, so that no client reuses one that the server is closing. */
const keepAliveMs = 120_000;

const maxHeadersMs = 20_000;
const checksPerTimeout = 4;
const maxCheckIntervalMs = 5_000;

/** Limits how long a request may take to arrive. A slower client gets a 408, and its connection is closed. */
export function requestTimeouts(milliseconds: number): ServerOptions {
  return {
    requestTimeout: milliseconds,
    headersTimeout: Math.min(milliseconds, maxHeadersMs),
    connectionsCheckingInterval: Math.min(Math.ceil(milliseconds / checksPerTimeout), maxCheckIntervalMs),
  };
}

/** How long a closing server waits for clients to read their answers. */
const closeMs = 10_000;

/** Opens and closes a server's port. Closing waits until every request that has arrived is answered. */
export class Listener {
  readonly #server: Server;
  readonly #pendingResponses = new Map<ServerResponse, IncomingMessage>();
  /** The connections of requests that may take any time to arrive. */
  readonly #patient = new WeakSet<Socket>();

  /** @param withoutTimeout the beginning of the paths whose requests may take any time to arrive */
  constructor(server: Server, { withoutTimeout }: { readonly withoutTimeout: string }) {
    this.#server = server;
    server.keepAliveTimeout = keepAliveMs;
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      const { url = "", socket } = request;
      this.#pendingResponses.set(response, request);
      if (url.startsWith(withoutTimeout)) this.#patient.add(socket);
      response.once("close", () => {
        this.#pendingResponses.delete(response);
        this.#patient.delete(socket);
        this.#closeIdleServer();
      });
    });
    server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
      const isTimeout = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
      if (isTimeout && this.#patient.has(socket)) return;
      // From here on, this does what Node does without a listener.
      const isAnswered = [...this.#pendingResponses.keys()].some((one) => one.socket === socket && one.headersSent);
      const status = isTimeout ? 408 : error.code === "HPE_HEADER_OVERFLOW" ? 431 : 400;
      if (socket.writable && !isAnswered) {
        socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\nConnection: close\r\n\r\n`);
      }
      socket.destroy(error);
    });
  }

  /**
   * Opens the port and returns the base URL.
   *
   * @throws Error if the port is in use.
   */
  async open(port: number, host: string): Promise<string> {
    try {
      await once(this.#server.listen(port, host), "listening");
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "EADDRINUSE") throw cause;
      throw new Error(`port ${port} on ${host} is in use by another program`, { cause });
    }
    const { address, family, port: opened } = this.#server.address() as AddressInfo;
    return `http://${family === "IPv6" ? `[${address}]` : address}:${opened}`;
  }

  async close(): Promise<void> {
    const closed = once(this.#server.close(), "close");
    for (const request of this.#pendingResponses.values()) if (!request.complete) request.socket.destroy();
    const cancel = systemClock.after(closeMs, () => this.#server.closeAllConnections());
    this.#closeIdleServer();
    await closed;
    cancel();
  }

  /** Closes the idle connections of a server that does not listen any more. */
  #closeIdleServer(): void {
    if (!this.#server.listening && this.#pendingResponses.size === 0) this.#server.closeAllConnections();
  }
}
