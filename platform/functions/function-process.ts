import { type ChildProcess, fork } from "node:child_process";
import type { Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { systemClock } from "../clock";
import type { FromFunction, LogLine, ToFunction } from "./messages";

/** How long a process may take to import its code. */
const startMs = 30_000;
/** How long it may take to end. */
const stopMs = 5_000;
/** How long its last output is read after its end. */
const outputMs = 500;

/** What a process is started with. */
export interface ProcessOptions {
  readonly entry: string;
  /** All variables that it has. */
  readonly environment: Readonly<Record<string, string>>;
  readonly secret: string;
  readonly onLog: (lines: readonly LogLine[]) => void;
}

/** A Node process that serves a version of a function. It has a process group of its own, which ends with the platform. */
export class FunctionProcess {
  readonly #child: ChildProcess;
  /** Resolves once its code was imported. Rejects with an error for the user. */
  readonly ready: Promise<void>;
  /** Resolves once a process that is to stop gets no further requests. */
  readonly drained: Promise<void>;
  /** Resolves once it has ended. */
  readonly ended: Promise<void>;
  /** What to do once the process has taken a connection, or has ended before: oldest first. */
  readonly #handed: ((isTaken: boolean) => void)[] = [];
  #isReady = false;
  #hasEnded = false;

  constructor({ entry, environment, secret, onLog }: ProcessOptions) {
    this.#child = fork(join(__dirname, "runtime.js"), [], {
      cwd: join(entry, ".."),
      env: { ...environment },
      execArgv: [],
      detached: true,
      stdio: ["pipe", "pipe", "pipe", "ipc"],
    });
    const child = this.#child;
    for (const [stream, severity] of [
      [child.stdout, "info"],
      [child.stderr, "error"],
    ] as const) {
      if (stream) {
        createInterface({ input: stream }).on("line", (message) => onLog([{ scope: "app", severity, message }]));
      }
    }
    // It may be gone already.
    child.stdin?.on("error", () => undefined);
    child.once("exit", () => {
      // What it has started is in its group, or has left it, and may hold on to its output.
      this.kill();
      systemClock.after(outputMs, () => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      });
    });
    this.ended = new Promise((resolve) => {
      child.once("close", () => {
        this.#hasEnded = true;
        // All that it has sent was read.
        for (const end of this.#handed.splice(0)) end(false);
        resolve();
      });
    });
    child.on("message", ({ type }: FromFunction) => {
      if (type === "taken") this.#handed.shift()?.(true);
    });
    this.drained = new Promise((resolve) => {
      child.on("message", ({ type }: FromFunction) => {
        if (type === "drained") resolve();
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
      child.on("message", (message: FromFunction) => {
        if (message.type === "log") onLog(message.lines);
        if (message.type === "failed") end(message.error);
        if (message.type !== "ready") return;
        cancel();
        this.#isReady = true;
        resolve();
      });
      child.once("error", (error) => end(error.message));
      child.once("close", (code, signal) => end(`the process ended with ${signal ?? code} before it was ready`));
    });
    this.ready.catch(() => undefined);
    this.#send({ type: "start", entry, secret });
  }

  /** Whether connections can be handed over. */
  get isConnected(): boolean {
    return this.#child.connected;
  }

  /** Hands a connection over. Resolves to false if the process has ended before it took it. */
  accept(socket: Socket): Promise<boolean> {
    if (!this.isConnected) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.#handed.push((isTaken) => {
        // It is open in the process: closing it here does not end it.
        if (isTaken) socket.destroy();
        resolve(isTaken);
      });
      this.#child.send({ type: "connection" } satisfies ToFunction, socket, { keepOpen: true }, () => undefined);
    });
  }

  /** Lets it answer the requests that it has, and ends it. While it is loaded, it has none. */
  async stop(): Promise<void> {
    if (!this.#isReady) this.kill();
    const cancel = systemClock.after(stopMs, () => this.kill());
    this.#send({ type: "stop" });
    await this.ended;
    cancel();
  }

  /** Ends it with everything that it has started. */
  kill(): void {
    const { pid } = this.#child;
    if (this.#hasEnded || pid === undefined) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // The group is empty.
    }
  }

  #send(message: ToFunction): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }
}
