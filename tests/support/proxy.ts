import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Says what becomes of an answer on its way back: its body, which was sent as JSON. */
export type Rewording = (method: string, path: string, status: number, body: unknown) => unknown;

/** A real HTTP server in front of a platform, whose answers it rewords. */
export class Proxy {
  readonly #server: Server;
  readonly #target: string;
  /** What becomes of answers; as they are unless it is set. */
  reword: Rewording = (_method, _path, _status, body) => body;

  private constructor(target: string) {
    this.#target = target;
    this.#server = createServer((request, response) => {
      const { method = "GET", url = "/", headers } = request;
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { host: _, connection: __, ...passed } = headers as Record<string, string>;
        void fetch(new URL(url, this.#target), {
          method,
          headers: passed,
          ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
        }).then(async (answer) => {
          const text = await answer.text();
          const path = url.replace(/^\/api\/v2/, "");
          const said = text === "" ? "" : JSON.stringify(this.reword(method, path, answer.status, JSON.parse(text)));
          const kept = ["date", "x-request-id", "retry-after"].flatMap((name): [string, string][] => {
            const value = answer.headers.get(name);
            return value === null ? [] : [[name, value]];
          });
          response.writeHead(answer.status, { "content-type": "application/json", ...Object.fromEntries(kept) });
          response.end(said);
        });
      });
    });
  }

  /** @param apiUrl the base URL of what is behind it */
  static async before(apiUrl: string): Promise<Proxy> {
    const proxy = new Proxy(new URL(apiUrl).origin);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  /** The base URL of the API, as it is to be asked here. */
  get apiUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/api/v2`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
