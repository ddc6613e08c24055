import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

import type { Clock } from "../../clock";
import type { ComputeConnector } from "../compute-connection";
import type { ComputeDirectory } from "../compute-directory";
import type { ClientConnection } from "../connection";
import { WebSocketFrontEnd, type WebSocketServices } from "../websocket";
import { SessionPool } from "./session-pool";
import { answerSql } from "./sql-endpoint";
import { maxSqlBodyBytes, RequestTooLarge } from "./sql-response";

/** How long the headers of a request, and then its body, may take to arrive. */
const headersMs = 20_000;
const bodyMs = 60_000;
/** How long a connection is kept between requests. */
const keepAliveMs = 60_000;

const allowedHeaders =
  "Authorization, Neon-Connection-String, Neon-Raw-Text-Output, Neon-Array-Mode, Neon-Pool-Opt-In, Neon-Batch-Read-Only, Neon-Batch-Isolation-Level";

export interface HttpServices extends WebSocketServices {
  readonly directory: ComputeDirectory;
  readonly connector: ComputeConnector;
  readonly clock: Clock;
}

/** Serves HTTP on connections that the proxy hands over: `POST /sql`, and WebSockets on any path. */
export class HttpFrontEnd {
  readonly #services: HttpServices;
  readonly #pool: SessionPool;
  readonly #webSockets: WebSocketFrontEnd;
  readonly #server: Server;
  readonly #connections = new WeakMap<Duplex, HttpConnection>();

  constructor(services: HttpServices) {
    this.#services = services;
    this.#pool = new SessionPool(services.connector, services.clock);
    this.#webSockets = new WebSocketFrontEnd(services);
    // The time limits are set below, because they use the clock of the platform.
    this.#server = createServer({ keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 });
    this.#server.on("request", (request, response) => {
      void this.#answer(request, response);
    });
    this.#server.on("upgrade", (request, stream, head) => {
      const connection = this.#connections.get(stream);
      connection?.stopTimer();
      if (connection) this.#webSockets.accept(request, connection.client, head);
      else stream.destroy();
    });
    this.#server.on("clientError", (_error, stream) => {
      stream.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n", () => stream.destroy());
    });
  }

  accept(client: ClientConnection): void {
    const connection = new HttpConnection(client, this.#services.clock);
    this.#connections.set(client.stream, connection);
    connection.limit(headersMs);
    this.#server.emit("connection", client.stream);
  }

  close(): void {
    this.#pool.close();
    this.#webSockets.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const connection = this.#connections.get(request.socket);
    if (!connection) {
      request.socket.destroy();
      return;
    }
    connection.limit(bodyMs);
    response.once("close", () => {
      connection.limit(keepAliveMs);
    });
    response.setHeader("neon-request-id", randomUUID());
    response.setHeader("content-type", "application/json");
    const [path] = (request.url ?? "").split("?", 1);
    if (path === "/sql" && request.method === "OPTIONS") {
      request.resume();
      response
        .writeHead(200, {
          Allow: "OPTIONS, POST",
          "Access-Control-Allow-Origin": "*",
          "Access-Control-Allow-Headers": allowedHeaders,
          "Access-Control-Max-Age": "86400",
        })
        .end();
      return;
    }
    if (path !== "/sql" || request.method !== "POST") {
      request.resume();
      response.writeHead(400).end(JSON.stringify("query is not supported"));
      return;
    }
    response.setHeader("access-control-allow-origin", "*");
    const leaving = new AbortController();
    response.once("close", () => {
      leaving.abort();
    });
    const readBody = async (): Promise<string> => {
      const body = await bodyOf(request);
      connection.stopTimer();
      return body;
    };
    const { status, headers, body } = await answerSql(
      { ...this.#services, pool: this.#pool },
      { client: connection.client, headers: request.headers, readBody, leaving: leaving.signal },
    );
    if (response.destroyed) return;
    // The rest of a request that is refused early is not read, so the connection cannot be used again.
    if (!request.complete) response.setHeader("connection", "close");
    response.writeHead(status, headers).end(body);
  }
}

/** A connection, and the time limit for its current step. */
class HttpConnection {
  readonly client: ClientConnection;
  readonly #clock: Clock;
  #cancelTimer: () => void = () => undefined;

  constructor(client: ClientConnection, clock: Clock) {
    this.client = client;
    this.#clock = clock;
    client.stream.once("close", () => {
      this.stopTimer();
    });
  }

  limit(milliseconds: number): void {
    this.stopTimer();
    if (this.client.stream.destroyed) return;
    this.#cancelTimer = this.#clock.after(milliseconds, () => this.client.stream.destroy());
  }

  stopTimer(): void {
    this.#cancelTimer();
    this.#cancelTimer = () => undefined;
  }
}

/** @throws RequestTooLarge */
async function bodyOf(request: IncomingMessage): Promise<string> {
  if (Number(request.headers["content-length"] ?? 0) > maxSqlBodyBytes) throw new RequestTooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxSqlBodyBytes) throw new RequestTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
