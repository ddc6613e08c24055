import { once } from "node:events";
import { BlockList, createServer, isIP, type Server, type Socket } from "node:net";

import { type Clock, systemClock } from "../clock";
import { CancelKeys } from "./cancellation";
import type { CertificateAuthority } from "./certificate-authority";
import { ComputeConnector } from "./compute-connection";
import type { ComputeDirectory } from "./compute-directory";
import type { ClientConnection } from "./connection";
import { negotiate } from "./handshake";
import { serveSession } from "./session";
import { HttpFrontEnd } from "./sql-over-http/http-front-end";
import { endGracefully, handshakeMs, withTimeLimit } from "./time-limit";

/** An address to listen on. */
export interface ProxyAddress {
  /** A loopback address. */
  readonly address: string;
  /** 0 means any free port. */
  readonly port: number;
  /** The endpoint that clients of this address mean, unless they name another one. */
  readonly endpointId?: string;
}

/** The services of a {@link PostgresProxy}. */
export interface PostgresProxyServices {
  readonly directory: ComputeDirectory;
  /** Issues the certificates of the addresses. */
  readonly authority: CertificateAuthority;
  /** Source of time for all time limits; default: the system clock. */
  readonly clock?: Clock;
}

interface Listening {
  readonly server: Server;
  readonly port: number;
  endpointId: string | undefined;
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

const isLoopback = (address: string): boolean =>
  isIP(address) !== 0 && loopback.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");

/**
 * The front of all computes: speaks PostgreSQL's protocol, and HTTP and WebSocket for Neon's serverless driver, on the same
 * ports. It authenticates clients itself, wakes the compute that they ask for, and passes their bytes on.
 */
export class PostgresProxy {
  readonly #services: Required<PostgresProxyServices>;
  readonly #connector: ComputeConnector;
  readonly #cancelKeys = new CancelKeys();
  readonly #http: HttpFrontEnd;
  readonly #listening = new Map<string, Listening>();
  readonly #sockets = new Set<Socket>();
  #changes: Promise<unknown> = Promise.resolve();
  #closed: Promise<void> | undefined;

  constructor(services: PostgresProxyServices) {
    this.#services = { clock: systemClock, ...services };
    const { directory, clock } = this.#services;
    this.#connector = new ComputeConnector(directory, clock);
    this.#http = new HttpFrontEnd({
      directory,
      connector: this.#connector,
      clock,
      serveSession: (client) => serveSession(this.#sessionServices, client),
      cancel: (key, clientAddress) => this.#cancelKeys.cancel(key, clientAddress),
      endpointOfAddress: (address, port) => this.#listening.get(keyOf(address, port))?.endpointId,
    });
  }

  /** The number of clients that are connected, in whatever state. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** The number of sessions that are passed on to a compute. */
  get sessions(): number {
    return this.#cancelKeys.size;
  }

  /**
   * Listens on exactly these addresses: opens new ones, and closes those that are left out. Sessions of closed addresses go on.
   *
   * @returns the addresses in the same order, with the ports that were opened
   * @throws RangeError if an address is not a loopback address. Error if a port cannot be opened; the others are open.
   */
  listen(addresses: readonly ProxyAddress[]): Promise<readonly ProxyAddress[]> {
    for (const { address } of addresses) {
      if (!isLoopback(address)) throw new RangeError(`"${address}" is not a loopback address`);
    }
    const change = this.#changes.then(() => this.#listen(addresses));
    this.#changes = change.catch(() => undefined);
    return change;
  }

  /** Ends all connections and stops listening. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #listen(addresses: readonly ProxyAddress[]): Promise<readonly ProxyAddress[]> {
    if (this.#closed) throw new Error("the proxy is closed");
    const wanted = new Set(addresses.map(({ address, port }) => keyOf(address, port)));
    for (const [key, { server }] of this.#listening) {
      if (wanted.has(key)) continue;
      this.#listening.delete(key);
      // Do not wait: the callback comes after the last session has ended, which may be much later.
      server.close();
    }
    const results = await Promise.allSettled(addresses.map((address) => this.#open(address)));
    return results.map((result) => {
      if (result.status === "rejected") throw result.reason;
      return result.value;
    });
  }

  async #open({ address, port, endpointId }: ProxyAddress): Promise<ProxyAddress> {
    const open = this.#listening.get(keyOf(address, port));
    if (open) {
      open.endpointId = endpointId;
      return { address, port: open.port, ...(endpointId === undefined ? {} : { endpointId }) };
    }
    const server = createServer();
    try {
      await once(server.listen(port, address), "listening");
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      const reason = code === "EADDRINUSE" ? "is in use by another program" : `cannot be opened (${code ?? "unknown"})`;
      throw new Error(`port ${port} on ${address} ${reason}`, { cause });
    }
    const opened = server.address();
    const openedPort = typeof opened === "object" && opened ? opened.port : port;
    const listening: Listening = { server, port: openedPort, endpointId };
    this.#listening.set(keyOf(address, openedPort), listening);
    server.on("connection", (socket) => {
      this.#accept(socket, {
        stream: socket,
        serverAddress: address,
        serverPort: openedPort,
        clientAddress: socket.remoteAddress ?? "",
        endpointId: listening.endpointId,
      });
    });
    return { address, port: openedPort, ...(endpointId === undefined ? {} : { endpointId }) };
  }

  #accept(socket: Socket, connection: ClientConnection): void {
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    // Every error also closes the stream, which is handled above.
    socket.on("error", () => undefined);
    socket.setNoDelay(true);
    void this.#serve(socket, connection);
  }

  async #serve(socket: Socket, connection: ClientConnection): Promise<void> {
    const { clock, authority } = this.#services;
    try {
      const negotiation = await withTimeLimit(
        clock,
        handshakeMs,
        () => new Error("the handshake has timed out"),
        negotiate(socket, connection, authority),
      );
      const { stream } = negotiation.connection;
      switch (negotiation.kind) {
        case "http":
          this.#http.accept(negotiation.connection);
          return;
        case "cancel":
          await this.#cancelKeys.cancel(negotiation.key, connection.clientAddress);
          break;
        case "session":
          await serveSession(this.#sessionServices, {
            ...negotiation.connection,
            authentication: "scram",
            serverName: negotiation.serverName,
            parameters: negotiation.parameters,
          });
      }
      endGracefully(clock, stream, () => socket.destroy());
    } catch {
      // The client does not speak the protocol, or has left, so there is no answer.
      socket.destroy();
    }
  }

  get #sessionServices() {
    const { directory, clock } = this.#services;
    return { directory, clock, connector: this.#connector, cancelKeys: this.#cancelKeys };
  }

  async #close(): Promise<void> {
    await this.#changes;
    const servers = [...this.#listening.values()].map(({ server }) => server);
    this.#listening.clear();
    const closed = servers.map((server) => once(server.close(), "close"));
    this.#http.close();
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(closed);
  }
}

const keyOf = (address: string, port: number): string => `${address} ${port}`;
