import { createServer, type IncomingMessage, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { Duplex } from "node:stream";

/** A request as the proxy received it. */
export interface ProxiedRequest {
  readonly method: string;
  /** `host:port` of a tunnel. */
  readonly target: string;
  readonly authorization: string | undefined;
}

/** What the proxy does with a tunnel instead of opening it. */
export type Refusal = { readonly status: number; readonly reason: string } | "close" | "silence";

/** An HTTP proxy that opens tunnels (`CONNECT`). Every host name leads to this machine, at the requested port. */
export class ForwardProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** The received requests, in order. */
  readonly requests: ProxiedRequest[] = [];
  /** Default: tunnels are opened. */
  refusal: Refusal | undefined;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#note(request);
      response.writeHead(501).end();
    });
    this.#server.on("connect", (request: IncomingMessage, client: Duplex) => this.#tunnel(request, client));
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
  }

  static async start(): Promise<ForwardProxy> {
    const proxy = new ForwardProxy();
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  /** The address of the proxy, without a protocol. */
  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The number of open connections. */
  get open(): number {
    return this.#sockets.size;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (!this.#server.listening) return;
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #note({ method = "", url = "", headers }: IncomingMessage): void {
    this.requests.push({ method, target: url, authorization: headers["proxy-authorization"] });
  }

  #tunnel(request: IncomingMessage, client: Duplex): void {
    this.#note(request);
    client.on("error", () => client.destroy());
    if (this.refusal === "silence") return;
    if (this.refusal !== undefined) {
      client.end(
        this.refusal === "close" ? "" : `HTTP/1.1 ${this.refusal.status} ${this.refusal.reason}\r\n\r\nno such luck`,
      );
      return;
    }
    const target = connect(Number(new URL(`http://${request.url ?? ""}`).port), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      target.pipe(client).pipe(target);
    });
    target.on("error", () => client.destroy());
    client.on("close", () => target.destroy());
  }
}
