/**
 * The process of a function. It imports the code, and serves the connections that the platform copies to its socket. It ends with
 * the platform, whatever the code does.
 */
import { getRequestListener } from "@hono/node-server";
import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import type { Duplex } from "node:stream";
import { pathToFileURL } from "node:url";
import { format } from "node:util";
import { Worker } from "node:worker_threads";

import { systemClock } from "../clock";
import {
  cutLine,
  type FromFunction,
  fromPlatform,
  internalHeader,
  type LogLine,
  longestLine,
  mostInvocations,
  taken,
  toPlatform,
  type ToFunction,
} from "./messages";

type Fetch = (request: Request) => Response | Promise<Response>;
type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
type Exports = Readonly<Record<string, unknown>>;

/** Longer than the time for which clients keep idle connections, so that no client reuses one that is being closed. */
const keepAliveMs = 120_000;
/** How long lines of the log and the number of invocations wait to be sent together, and how many characters may wait. */
const waitMs = 10;
const mostWaiting = 3 * longestLine;
const mostLines = 1000;
/** How many connections can wait while the event loop is blocked. */
const backlog = 4096;
const forwardedHost = "x-forwarded-host";
const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-/;

/** Ends the process group after the platform has ended. It runs in a thread of its own, because a blocked event loop would not notice. */
const watchdog = `
  const { Socket } = require("node:net");
  new Socket({ fd: 0, writable: false }).resume().on("error", () => undefined).once("close", () => {
    try { process.kill(-process.pid, "SIGKILL"); } catch { process.kill(process.pid, "SIGKILL"); }
  });
`;

const traces = new AsyncLocalStorage<string | undefined>();
let lines: LogLine[] = [];
let waiting = 0;

// A copy, because the code of a function may replace the module's function.
const write = writeFileSync;

/** Sends a message. Waits while the platform reads more slowly than the code writes, so that nothing piles up. */
function send(message: FromFunction): void {
  try {
    write(toPlatform, `${JSON.stringify(message)}\n`);
  } catch {
    // The platform has ended.
  }
}

function log(line: LogLine): void {
  // Lines are sent together, because each message takes time of both processes.
  if (lines.length === 0) systemClock.after(waitMs, flush);
  const message = cutLine(line.message);
  lines.push({ ...line, message });
  waiting += message.length;
  if (waiting >= mostWaiting || lines.length >= mostLines) flush();
}

function flush(): void {
  if (lines.length === 0) return;
  send({ type: "log", lines });
  [lines, waiting] = [[], 0];
}

/** The invocations that this process and the others of the account are answering. */
class Invocations {
  others = 0;
  #running = 0;
  #reported = 0;
  #isWaiting = false;

  /** Begins an invocation, which ends when the stream is closed. Returns false if the account has too many. */
  begin(stream: ServerResponse | Duplex): boolean {
    if (this.#running + this.others >= mostInvocations) return false;
    this.#count(1);
    stream.once("close", () => this.#count(-1));
    return true;
  }

  #count(change: number): void {
    this.#running += change;
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    systemClock.after(waitMs, () => {
      this.#isWaiting = false;
      if (this.#reported === this.#running) return;
      this.#reported = this.#running;
      send({ type: "running", count: this.#running });
    });
  }
}
const invocations = new Invocations();

/** The answer to an invocation beyond the limit. */
const tooMany = {
  status: 429,
  headers: { "content-type": "text/plain", "retry-after": "1" },
  body: "per-account concurrency limit reached",
} as const;

const tooManyFields = Object.entries(tooMany.headers)
  .map((field) => `${field.join(": ")}\r\n`)
  .join("");

/** Ends this process with everything that it has started. */
function endGroup(): void {
  process.kill(-process.pid, "SIGKILL");
}

/** Ends the process group, too. If the platform was killed, a write that fails can end this process before the watchdog acts. */
function onExit(code: number): void {
  flush();
  send({ type: "failed", error: `the process ended with code ${code} before it was ready` });
  endGroup();
}

/** Turns each call of a console method into a line of the log. */
function captureConsole(): void {
  const methods = { debug: "debug", log: "info", info: "info", warn: "warn", error: "error", trace: "debug" } as const;
  for (const [method, severity] of Object.entries(methods)) {
    console[method as keyof typeof methods] = (...values: unknown[]) => {
      log({ scope: "app", severity, message: format(...values), traceId: traces.getStore() });
    };
  }
}

/** @throws Error if the module has no handler */
function handlerOf({ default: main }: Exports): Fetch {
  if (typeof main === "function") return main as Fetch;
  if (isObject(main) && typeof main["fetch"] === "function") {
    const target = main as { readonly fetch: Fetch };
    return (request) => target.fetch(request);
  }
  // A CommonJS module.
  if (isObject(main) && "default" in main) return handlerOf(main);
  throw new Error("no request handler found: export a default function, or a default object with a fetch method");
}

function upgradeOf({ default: main, upgrade }: Exports): Upgrade | undefined {
  if (typeof upgrade === "function") return upgrade as Upgrade;
  if (isObject(main) && typeof main["upgrade"] === "function") {
    const target = main as unknown as { readonly upgrade: Upgrade };
    return (...parts) => target.upgrade(...parts);
  }
  return undefined;
}

const isObject = (value: unknown): value is Exports => typeof value === "object" && value !== null;

/** Turns an error of the code into a 500. Its message is only in the log. */
function guarded(handler: Fetch): Fetch {
  return async (request) => {
    try {
      const answer: unknown = await handler(request);
      if (isResponse(answer)) return answer;
      console.error(`the handler returned ${answer === null ? "null" : typeof answer}: it must return a Response`);
    } catch (error) {
      console.error(error);
    }
    return new Response("Internal Server Error", { status: 500 });
  };
}

/** Whether a value is a response. It may be of another class, such as that of a library. */
function isResponse(value: unknown): value is Response {
  return isObject(value) && typeof value["status"] === "number" && isObject(value["headers"]) && "body" in value;
}

/**
 * Removes the headers that only the platform may send. A host other than the function's own is a custom domain, and passed on as one.
 * Returns whether the platform has sent the request.
 */
function adaptHeaders({ headers, rawHeaders }: IncomingMessage, own: string, secret: string): boolean {
  const isInternal = headers[internalHeader] === secret;
  const { host } = headers;
  const domain = host === own ? undefined : host;
  const isRemoved = (name: string): boolean =>
    name === internalHeader ||
    (name.startsWith("x-neon-") && !isInternal) ||
    (domain !== undefined && ["host", forwardedHost].includes(name));
  const added = domain === undefined ? [] : ["host", own, forwardedHost, domain];
  const kept: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index, index + 2);
    if (!isRemoved(name.toLowerCase())) kept.push(name, value);
    else Reflect.deleteProperty(headers, name.toLowerCase());
  }
  rawHeaders.splice(0, rawHeaders.length, ...kept, ...added);
  if (domain !== undefined) Object.assign(headers, { host: own, [forwardedHost]: domain });
  return isInternal;
}

/** The connections of the process. Those without a request are closed when the process is to end. */
class Connections {
  readonly #requests = new Map<Duplex, number>();
  #isStopping = false;

  add(socket: Duplex): void {
    this.#requests.set(socket, 0);
    socket.write(Buffer.of(taken));
    socket.once("close", () => {
      this.#requests.delete(socket);
      this.#endIfIdle();
    });
  }

  begin(socket: Duplex, response: ServerResponse): void {
    this.#requests.set(socket, (this.#requests.get(socket) ?? 0) + 1);
    if (this.#isStopping) response.shouldKeepAlive = false;
    response.once("close", () => {
      this.#requests.set(socket, (this.#requests.get(socket) ?? 1) - 1);
      if (this.#isStopping) socket.end();
    });
  }

  stop(): void {
    this.#isStopping = true;
    const idle = [...this.#requests].filter(([, count]) => count === 0);
    const closed = idle.map(([socket]) => new Promise<void>((resolve) => socket.end(() => resolve())));
    void Promise.all(closed).then(() => send({ type: "drained" }));
    this.#endIfIdle();
  }

  #endIfIdle(): void {
    if (!this.#isStopping || this.#requests.size > 0) return;
    flush();
    process.exit(0);
  }
}

async function start({
  entry,
  socket: path,
  host,
  secret,
}: Extract<ToFunction, { type: "start" }>): Promise<() => void> {
  const module = (await import(pathToFileURL(entry).href)) as Exports;
  // Listeners of the code on its exit come first.
  process.off("exit", onExit).once("exit", onExit);
  const listener = getRequestListener(guarded(handlerOf(module)));
  const connections = new Connections();
  const server = createServer((request, response) => {
    const isInternal = adaptHeaders(request, host, secret);
    connections.begin(request.socket, response);
    if (!invocations.begin(response)) {
      // The platform repeats an invocation by a trigger that was not answered.
      if (isInternal) request.socket.destroy();
      else response.writeHead(tooMany.status, tooMany.headers).end(tooMany.body);
      return;
    }
    const [, traceId] = traceparent.exec(String(request.headers["traceparent"])) ?? [];
    const { method = "", url = "" } = request;
    const began = systemClock.now();
    const report = (message: string): void => log({ scope: "request", severity: "info", message, traceId });
    report(`begin ${method} ${url}`);
    response.once("close", () => {
      report(`end ${method} ${url} ${response.statusCode} ${Math.round(systemClock.now() - began)} ms`);
    });
    // Node tracks contexts after the first use, at a cost for each call.
    if (traceId === undefined) void listener(request, response);
    else traces.run(traceId, () => void listener(request, response));
  });
  server.keepAliveTimeout = keepAliveMs;
  const upgrade = upgradeOf(module);
  if (upgrade) {
    server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      adaptHeaders(request, host, secret);
      if (invocations.begin(socket)) upgrade(request, socket, head);
      else socket.end(`HTTP/1.1 429 Too Many Requests\r\n${tooManyFields}connection: close\r\n\r\n${tooMany.body}`);
    });
  }
  server.on("connection", (socket: Socket) => connections.add(socket));
  await once(server.listen({ path, backlog }), "listening");
  send({ type: "ready" });
  return () => connections.stop();
}

new Worker(watchdog, { eval: true, stdin: false }).unref();
captureConsole();
process.once("exit", onExit);
process.on("uncaughtException", (error) => {
  console.error(error);
  process.exit(1);
});
let stop: (() => void) | undefined;
const channel = new Socket({ fd: fromPlatform, writable: false }).on("error", endGroup).once("close", endGroup);
createInterface({ input: channel }).on("line", (line) => {
  const message = JSON.parse(line) as ToFunction;
  if (message.type === "stop") return stop?.();
  if (message.type === "others") {
    invocations.others = message.count;
    return;
  }
  start(message).then(
    (stopping) => (stop = stopping),
    (error: unknown) => {
      flush();
      const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      send({ type: "failed", error: cutLine(reason) });
    },
  );
});
