import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/** The reply of a scripted server to one request. */
export interface Reply {
  /** Default: 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, sent as JSON; a text is sent as it is. Default: none. */
  readonly body?: unknown;
  /** The delay of the reply, in real milliseconds. */
  readonly delay?: number;
  /**
   * How the exchange ends instead of with a whole response: `half` the body and then no connection, `reset-before` the
   * request is read, `reset-after` it is read, or never (`silence`).
   */
  readonly end?: "half" | "reset-before" | "reset-after" | "silence";
}

/** A request as it arrived. */
export interface Received {
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The replies of a server: one after the other, the last one repeatedly; or a function of each request. */
export type Script = readonly Reply[] | ((request: Received, index: number) => Reply);

/** A real HTTP server that a test scripts, for behaviour that the local platform does not have. */
export class ScriptedServer {
  readonly #server: Server;
  #script: Script;
  #answered = 0;
  #connections = 0;
  #open = 0;
  /** The requests that were received and read, in order. */
  readonly requests: Received[] = [];

  private constructor(script: Script) {
    this.#script = script;
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.keepAliveTimeout = 0;
    this.#server.on("connection", (socket) => {
      this.#connections += 1;
      this.#open += 1;
      socket.on("close", () => (this.#open -= 1));
    });
  }

  static async start(script: Script = []): Promise<ScriptedServer> {
    const server = new ScriptedServer(script);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  /** The origin of the server, without a slash at the end. */
  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The base URL of the API on the server. */
  get apiUrl(): string {
    return `${this.origin}/api/v2`;
  }

  /** The number of connections since the script was set. */
  get connections(): number {
    return this.#connections;
  }

  /** The number of open connections. */
  get open(): number {
    return this.#open;
  }

  /** Replaces the script, and clears the received requests. Open connections stay open. */
  answer(script: Script): void {
    this.#script = script;
    this.#answered = 0;
    this.#connections = 0;
    this.requests.length = 0;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const index = this.#answered;
    this.#answered += 1;
    const { method = "", url = "", headers } = request;
    const received = { method, url, headers, body: "" };
    const script = this.#script;
    const read = async (): Promise<void> => {
      request.setEncoding("utf8");
      for await (const chunk of request) received.body += chunk as string;
    };
    // The function gets the request, so read it first.
    if (typeof script === "function") await read();
    const reply =
      typeof script === "function" ? script(received, index) : (script[index] ?? script.at(-1) ?? noReplyLeft);
    if (reply.end === "reset-before") {
      request.socket.resetAndDestroy();
      return;
    }
    if (typeof script !== "function") await read();
    this.requests.push(received);
    if (reply.end === "silence") return;
    if (reply.end === "reset-after") {
      request.socket.resetAndDestroy();
      return;
    }
    if (reply.delay !== undefined) await new Promise((resolve) => setTimeout(resolve, reply.delay));
    const { status = 200, body = "" } = reply;
    const text = typeof body === "string" ? body : JSON.stringify(body);
    response.writeHead(status, {
      ...(text === "" ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
      ...reply.headers,
    });
    if (reply.end === "half") response.write(text.slice(0, text.length / 2), () => request.socket.destroy());
    else response.end(text);
  }
}

const noReplyLeft: Reply = { status: 500, body: { message: "the script says nothing" } };
