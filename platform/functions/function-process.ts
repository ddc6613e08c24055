import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { z } from "zod";

import { type Clock, othersTurn, sleep, systemClock } from "../clock";
import {
  cutLine,
  type FromFunction,
  fromPlatform,
  type LogLine,
  longestLine,
  taken,
  type ToFunction,
} from "./messages";

/** How long a process may take to import its code. */
const startMs = 30_000;
/** How long a process may take to end. */
const stopMs = 5_000;
/** How long the last output of a process is read after its end. */
const outputMs = 500;
/** How long to wait before another connection to a process that has no place for one. */
const fullMs = 20;
/** How long Neon waits for the first byte of a response, and for the next one. */
const silenceMs = 15 * 60_000;
/** The memory of a function on Neon. */
const memoryMib = 2048;
/** The most characters of a message. A message with lines of the log has fewer, even if each character is escaped. */
const longestMessage = 2 << 20;
/** The output that is read per millisecond. A function that writes without end slows down only itself. */
const readPerMs = { characters: 16 << 10, lines: 16 };

/** A text that the process has shortened. */
const text = z.string().max(longestLine + 64);

/** The messages of a process. They are checked, because the code of a function can write anything to the descriptor. */
const fromFunction: z.ZodType<FromFunction> = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  z.object({ type: z.literal("failed"), error: text }),
  z.object({ type: z.literal("drained") }),
  z.object({ type: z.literal("running"), count: z.int().min(0) }),
  z.object({
    type: z.literal("log"),
    lines: z.array(
      z.object({
        scope: z.enum(["app", "request"]),
        severity: z.enum(["debug", "info", "warn", "error"]),
        message: text,
        traceId: z
          .string()
          .regex(/^[0-9a-f]{32}$/)
          .optional(),
      }),
    ),
  }),
]);

/** The settings and services of a process. */
export interface ProcessOptions {
  readonly entry: string;
  /** All variables of the process. */
  readonly environment: Readonly<Record<string, string>>;
  /** The path of the socket at which it serves connections. */
  readonly socket: string;
  /** The address under which clients know the function. */
  readonly host: string;
  readonly secret: string;
  /** The account whose processes share the limit of concurrent invocations. */
  readonly account: string;
  /** Called when the number of invocations that the process is answering has changed. */
  readonly onRunning: () => void;
  /** Measures how long a response takes. */
  readonly clock: Clock;
  readonly onLog: (lines: readonly LogLine[]) => void;
}

/**
 * A Node process that serves a version of a function. It has a process group of its own, which ends with the platform. Nothing
 * that it writes is trusted: connections are copied byte by byte, and messages are checked.
 */
export class FunctionProcess {
  readonly #options: ProcessOptions;
  readonly #child: ChildProcess;
  /** Resolves once the code is imported. Rejects with an error for the user. */
  readonly ready: Promise<void>;
  /** Resolves once a process that was told to stop gets no further requests. */
  readonly drained: Promise<void>;
  /** Resolves once the process has ended. */
  readonly ended: Promise<void>;
  readonly #listeners = new Set<(message: FromFunction) => void>();
  #running = 0;
  #others = 0;
  #connections = 0;
  #cancelIdle: (() => void) | undefined;
  #isReady = false;
  #isConnected = true;
  #hasEnded = false;

  constructor(options: ProcessOptions) {
    this.#options = options;
    const { entry, environment, socket, host, secret, onRunning, onLog } = options;
    this.#child = spawn(process.execPath, [`--max-old-space-size=${memoryMib}`, join(__dirname, "runtime.js")], {
      cwd: join(entry, ".."),
      env: { ...environment },
      detached: true,
      stdio: ["pipe", "pipe", "pipe", "pipe", "pipe"],
    });
    const child = this.#child;
    // The process may have ended already, or close its streams. If the machine has no files or processes to spare, it does not start.
    for (const each of [child, ...((child.stdio as typeof child.stdio | undefined) ?? [])])
      each?.on("error", () => undefined);
    if (child.pid === undefined) throw new Error("the process of the function cannot be started");
    const [, stdout, stderr, control, answers] = child.stdio as [Writable, Readable, Readable, Socket, Readable];
    const onOutput = (severity: LogLine["severity"]) => (text: string, omitted: number) => {
      onLog([{ scope: "app", severity, message: cutLine(text, omitted) }]);
    };
    readLines(stdout, longestLine, onOutput("info"));
    readLines(stderr, longestLine, onOutput("error"));
    readLines(answers, longestMessage, (text, omitted) => {
      const message = omitted === 0 ? messageIn(text) : undefined;
      if (message) for (const listener of this.#listeners) listener(message);
    });
    answers.once("close", () => this.kill());
    // The process sends nothing here.
    control.resume();
    child.once("exit", () => {
      // Other processes of the group are killed. A process that has left the group may hold on to the output.
      this.kill();
      systemClock.after(outputMs, () => {
        for (const stream of child.stdio) stream?.destroy();
      });
    });
    this.ended = new Promise((resolve) => {
      child.once("close", () => {
        this.#hasEnded = true;
        this.#cancelIdle?.();
        this.#running = 0;
        onRunning();
        resolve();
      });
    });
    this.#listeners.add((message) => {
      if (message.type === "log") onLog(message.lines);
      if (message.type !== "running") return;
      this.#running = message.count;
      onRunning();
    });
    this.drained = new Promise((resolve) => {
      this.#listeners.add(({ type }) => {
        // The ends of the connections have arrived before this message. They are read in this turn of the
        // event loop, or in the next one.
        if (type === "drained") void othersTurn().then(othersTurn).then(resolve);
      });
      void this.ended.then(resolve);
    });
    this.ready = new Promise<void>((resolve, reject) => {
      const end = (message: string): void => {
        cancel();
        reject(new Error(message));
        this.kill();
      };
      const cancel = systemClock.after(startMs, () => end(`the code was not loaded within ${startMs / 1000} s`));
      this.#listeners.add((message) => {
        if (message.type === "failed") end(message.error);
        if (message.type !== "ready") return;
        cancel();
        this.#isReady = true;
        this.#endIfIdle();
        resolve();
      });
      child.once("close", (code, signal) => end(`the process ended with ${signal ?? code} before it was ready`));
    });
    this.ready.catch(() => undefined);
    this.#send({ type: "start", entry, socket, host, secret });
  }

  get account(): string {
    return this.#options.account;
  }

  /** How many invocations the process is answering, as far as it reports. */
  get running(): number {
    return this.#running;
  }

  /** Tells the process how many invocations the others of the account are answering. */
  shareLimit(others: number): void {
    if (others === this.#others || this.#hasEnded) return;
    this.#others = others;
    this.#send({ type: "others", count: others });
  }

  /** Whether the process takes connections. */
  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** Connects a client with the process. Resolves to false if the process has ended before it took the connection. */
  async accept(client: Socket): Promise<boolean> {
    const upstream = await this.#connect();
    return upstream !== undefined && (await this.#copy(client, upstream));
  }

  /** A connection with the process, undefined if the process has ended. Waits while too many connections are queued for it. */
  async #connect(): Promise<Socket | undefined> {
    while (this.#isConnected) {
      const upstream = connect({ path: this.#options.socket, allowHalfOpen: true });
      try {
        await once(upstream, "connect");
        return upstream.on("error", () => upstream.destroy());
      } catch (error) {
        // A process without its socket is useless.
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") this.kill();
        else await sleep(systemClock, fullMs);
      }
    }
    return undefined;
  }

  /** Copies the data of a client and the process. Resolves to whether the process took the connection, or the client has gone. */
  #copy(client: Socket, upstream: Socket): Promise<boolean> {
    this.#connections += 1;
    this.#cancelIdle?.();
    const cancelLimit = this.#limitSilence(client, upstream);
    client.once("close", () => upstream.destroy());
    let isTaken = false;
    return new Promise((resolve) => {
      upstream.once("data", (first: Buffer) => {
        upstream.pause();
        if (first[0] !== taken) {
          upstream.destroy();
          return;
        }
        isTaken = true;
        resolve(true);
        if (first.length > 1) upstream.unshift(first.subarray(1));
        upstream.once("close", () => client.destroySoon());
        upstream.pipe(client);
        client.pipe(upstream);
      });
      upstream.once("close", () => {
        cancelLimit();
        this.#connections -= 1;
        this.#endIfIdle();
        const isAbandoned = client.destroyed || client.writableEnded;
        if (!isTaken && !isAbandoned) this.kill();
        resolve(isTaken || isAbandoned);
      });
    });
  }

  /** Ends the process after it has answered its requests. A process that still loads its code has no requests. */
  async stop(): Promise<void> {
    if (!this.#isReady) this.kill();
    this.#isConnected = false;
    const cancel = systemClock.after(stopMs, () => this.kill());
    this.#send({ type: "stop" });
    await this.ended;
    cancel();
  }

  /** Kills the process, and everything that it has started. */
  kill(): void {
    this.#isConnected = false;
    const { pid } = this.#child;
    if (this.#hasEnded || pid === undefined) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // The group is empty.
    }
  }

  /** Closes a connection on which the process sends nothing for too long, and ends the process if a client waits for it. */
  #limitSilence(client: Socket, upstream: Socket): () => void {
    const { clock, onLog } = this.#options;
    let isAwaited = true;
    let since = clock.now();
    client.on("data", () => {
      if (!isAwaited) since = clock.now();
      isAwaited = true;
    });
    upstream.on("data", () => {
      isAwaited = false;
      since = clock.now();
    });
    const check = (): void => {
      const left = since + silenceMs - clock.now();
      if (left > 0) {
        cancel = clock.after(left, check);
        return;
      }
      upstream.destroy();
      if (!isAwaited) return;
      const message = `the function sent nothing for ${silenceMs / 60_000} minutes`;
      onLog([{ scope: "app", severity: "error", message: `${message}: its process ends` }]);
      answerWith(client, "504 Gateway Timeout", message);
      // The code may be in an endless loop.
      void this.stop();
    };
    let cancel = clock.after(silenceMs, check);
    return () => cancel();
  }

  /** Ends a process that has had no connection for some time, as Neon does. The next request starts another one. */
  #endIfIdle(): void {
    this.#cancelIdle?.();
    if (this.#connections > 0 || this.#hasEnded) return;
    this.#cancelIdle = this.#options.clock.after(silenceMs, () => void this.stop());
  }

  #send(message: ToFunction): void {
    (this.#child.stdio[fromPlatform] as Socket).write(`${JSON.stringify(message)}\n`);
  }
}

/** Answers a client whose request no function answers. */
export function answerWith(client: Socket, status: string, message: string): void {
  // Closing a connection with bytes that were not read would reset it.
  client.resume();
  client.end(`HTTP/1.1 ${status}\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n${message}\n`);
}

/** Parses a message of a process; undefined for anything else. */
function messageIn(text: string): FromFunction | undefined {
  try {
    return fromFunction.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/**
 * Calls back with each line of a stream: with its first characters, and with the number of characters that are left out. The
 * stream may be endless and have no line breaks.
 */
function readLines(stream: Readable, longest: number, onLine: (text: string, omitted: number) => void): void {
  let line = "";
  let omitted = 0;
  const append = (text: string): void => {
    const kept = text.slice(0, longest - line.length);
    line += kept;
    omitted += text.length - kept.length;
  };
  const end = (): void => {
    onLine(line.endsWith("\r") ? line.slice(0, -1) : line, omitted);
    [line, omitted] = ["", 0];
  };
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    const parts = chunk.split("\n");
    for (const [index, part] of parts.entries()) {
      if (index > 0) end();
      append(part);
    }
    const rest = Math.max(chunk.length / readPerMs.characters, parts.length / readPerMs.lines);
    if (rest < 1) return;
    stream.pause();
    systemClock.after(rest, () => stream.resume());
  });
  stream.once("close", () => {
    if (line !== "" || omitted > 0) end();
  });
}
