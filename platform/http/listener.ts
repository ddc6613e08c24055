import type { Server, ServerOptions, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Longer than clients keep an idle connection, so that none of them meets one just closed. */
const keepAliveMs = 120_000;

const mostForHeadersMs = 20_000;
const checksPerTimeout = 4;
const leastOftenMs = 5_000;

/** How long a request may take to arrive: who sends more slowly is answered 408, and loses the connection. */
export function arrivalWithin(milliseconds: number): ServerOptions {
  return {
    requestTimeout: milliseconds,
    headersTimeout: Math.min(milliseconds, mostForHeadersMs),
    connectionsCheckingInterval: Math.min(Math.ceil(milliseconds / checksPerTimeout), leastOftenMs),
  };
}

/** A server's port: opened so that failures are said plainly, closed so that nobody is cut off in the middle. */
export class Listener {
  readonly #server: Server;
  readonly #unanswered = new Set<ServerResponse>();
  #isClosing = false;

  constructor(server: Server) {
    this.#server = server;
    server.keepAliveTimeout = keepAliveMs;
    server.on("request", (_request, response: ServerResponse) => {
      this.#unanswered.add(response);
      response.once("close", () => {
        this.#unanswered.delete(response);
        this.#endConnections();
      });
    });
  }

  /** Opens the port, and tells the base URL. */
  async open(port: number, host: string): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", (cause: NodeJS.ErrnoException) => {
        const isTaken = cause.code === "EADDRINUSE";
        reject(isTaken ? new Error(`port ${port} on ${host} is taken by another program`, { cause }) : cause);
      });
      this.#server.listen(port, host, resolve);
    });
    const { address, family, port: opened } = this.#server.address() as AddressInfo;
    return `http://${family === "IPv6" ? `[${address}]` : address}:${opened}`;
  }

  /** Takes no more connections, and ends those that are open once everything that has arrived is answered. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => {
        resolve();
      });
      this.#isClosing = true;
      this.#endConnections();
    });
  }

  #endConnections(): void {
    if (this.#isClosing && this.#unanswered.size === 0) this.#server.closeAllConnections();
  }
}
