import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { chown, mkdtemp, open, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, Pool } from "pg";

import { sleep, systemClock } from "../clock";
import { type Installation, binaryIn } from "./installation";
import { InterruptedError } from "./interruption";
import { type OsUser, runAs } from "./os-user";
import { ownSettings } from "./own-settings";

/** The superuser of every cluster. Only the platform uses it. */
export const adminRole = "cloud_admin";

const pollMs = 5;
const startMs = 60_000;
const stopMs = 5_000;

/**
 * Starts Postgres and stops it when the standard input ends, so that it does not outlive the platform, even after kill -9. Then
 * removes the folder of its socket, which is the first argument. The first line of the output is the process id of Postgres; by
 * then, the platform may have ended.
 *
 * A shell starts background processes with SIGINT ignored, and Postgres accepts it only a moment later: until then, SIGTERM ends
 * it. Afterwards SIGTERM changes nothing about the fast shutdown that SIGINT has requested.
 */
export const watch =
  'd=$1; shift; exec 3<&0; "$@" 3<&- </dev/null & p=$!; ' +
  "{ read _ <&3; kill -INT $p; kill -TERM $p; } >/dev/null 2>&1 & " +
  'trap "" PIPE; echo $p 2>/dev/null; wait $p; c=$?; rm -rf "$d"; exit $c';

export interface PostmasterOptions {
  readonly installation: Installation;
  /** The environment of its processes. */
  readonly environment: NodeJS.ProcessEnv;
  readonly user: OsUser | undefined;
  readonly dataFolder: string;
  /** The file that its log is appended to. */
  readonly logFile: string;
  /** Settings for this run only. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Runs statements as the superuser, one after the other. */
export type Admin = Pick<Pool, "query">;

/** A running Postgres. */
export class Postmaster {
  readonly pid: number;
  readonly dataFolder: string;
  /** The folder of its Unix socket. Only its user can enter it. */
  readonly socketFolder: string;
  readonly #watcher: ChildProcess;
  readonly #exited: Promise<number | null>;
  readonly #admin: Pool;
  #isRunning = true;

  private constructor(
    watcher: ChildProcess,
    exited: Promise<number | null>,
    pid: number,
    folders: readonly [string, string],
  ) {
    this.#watcher = watcher;
    this.pid = pid;
    [this.dataFolder, this.socketFolder] = folders;
    // One session, which its callers share: `pg` runs one statement of a session at a time.
    this.#admin = new Pool({ ...this.#address, database: "postgres", max: 1, idleTimeoutMillis: 0 });
    // An error of a session must not end the platform. The next statement opens another session. The pool listens to idle sessions,
    // and a statement to its own session. A session that ends between the two has only the listener of the second line.
    this.#admin.on("error", () => undefined);
    this.#admin.on("connect", (session) => session.on("error", () => undefined));
    this.#exited = exited.then(async (code) => {
      this.#isRunning = false;
      await rm(this.socketFolder, { recursive: true, force: true });
      return code;
    });
  }

  /**
   * Starts Postgres and waits until it accepts connections.
   *
   * @throws InterruptedError if it is killed before, or another Postgres uses the folder
   * @throws Error with the message of Postgres if it does not start
   */
  static async start(options: PostmasterOptions): Promise<Postmaster> {
    const { installation, environment, user, dataFolder, logFile, settings = {} } = options;
    const log = await open(logFile, "a", 0o600);
    const socketFolder = await newSocketFolder(user).catch(async (error: unknown) => {
      await log.close();
      throw error;
    });
    const logStart = (await log.stat()).size;
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const command = [binaryIn(installation.folder), "-D", dataFolder, "-k", socketFolder, ...flags];
    const watcher = spawn("sh", ["-c", watch, "sh", socketFolder, ...command], {
      ...runAs(user),
      env: environment,
      detached: true,
      stdio: ["pipe", "pipe", log.fd],
    });
    watcher.stdin?.on("error", () => undefined);
    // Listen before the first wait, because a Postgres that refuses to start ends in a moment.
    const exited = new Promise<number | null>((resolve) => {
      watcher.once("exit", resolve).once("error", () => resolve(null));
    });
    const line = firstLine(watcher);
    await log.close();
    const pid = await line;
    if (pid === undefined) throw new Error("Postgres cannot be started: there is no shell, or its user cannot run it");
    const postmaster = new Postmaster(watcher, exited, pid, [dataFolder, socketFolder]);
    if (await postmaster.#isReady()) return postmaster;
    const isKilled = !postmaster.isRunning && wasKilled(await postmaster.#exited);
    await postmaster.kill();
    const reason = await reasonIn(logFile, logStart);
    throw isKilled || isInUse.test(reason) ? new InterruptedError(reason) : new Error(reason);
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** A session of the superuser, which stays open until Postgres stops. Callers share it. */
  async admin(): Promise<Admin> {
    if (this.#admin.totalCount === 0) (await this.#admin.connect()).release();
    return this.#admin;
  }

  /** A new session, of the superuser unless a role is named. */
  async connect(database = "postgres", user: string = this.#address.user): Promise<Client> {
    const client = new Client({ ...this.#address, database, user });
    // The end of a session must not end the platform.
    client.on("error", () => undefined);
    await client.connect();
    return client;
  }

  /** Ends all sessions and stops Postgres in order. */
  async stop(): Promise<void> {
    this.#watcher.stdin?.end();
    if (await this.#hasExited()) return;
    await this.kill();
  }

  /** Ends Postgres at once, as a crash does. Postgres recovers at its next start. */
  async kill(): Promise<void> {
    if (this.#isRunning) signal(this.pid, "SIGQUIT");
    this.#watcher.stdin?.end();
    if (await this.#hasExited()) return;
    signal(this.pid, "SIGKILL");
    await this.#exited;
  }

  /** Waits for the end of Postgres, for a limited time. Returns whether it has ended. */
  async #hasExited(): Promise<boolean> {
    // A timer that stays would keep alive a process that has closed its platform.
    const limit = new AbortController();
    void this.#exited.then(() => limit.abort());
    await sleep(systemClock, stopMs, limit.signal);
    return !this.#isRunning;
  }

  get #address() {
    return { ...ownSettings, host: this.socketFolder, port: 5432, user: adminRole } as const;
  }

  /** Waits until Postgres accepts connections. A recovery to a point in time does so only at its end. */
  async #isReady(): Promise<boolean> {
    for (let waited = 0; waited < startMs && this.#isRunning; waited += pollMs) {
      const { pid, status } = readPidFile(this.dataFolder) ?? {};
      if (pid === this.pid && status === "ready") return true;
      await sleep(systemClock, pollMs);
    }
    return false;
  }
}

/** Reads the `postmaster.pid` of a data folder. */
export function readPidFile(
  dataFolder: string,
): { readonly pid: number; readonly socketFolder: string; readonly status: string } | undefined {
  let text: string;
  try {
    text = readFileSync(join(dataFolder, "postmaster.pid"), "utf8");
  } catch {
    // Nothing runs there, or its folder cannot be read any more.
    return undefined;
  }
  const lines = text.split("\n");
  return { pid: Number(lines[0]), socketFolder: lines[4] ?? "", status: (lines[7] ?? "").trim() };
}

/** Sends a signal, unless the process has ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended by itself.
  }
}

/**
 * Creates the folder of the socket. Its path is short, because the path of a Unix socket has at most 103 bytes. Each start gets a
 * new folder, because a process that was not reaped blocks its own.
 */
async function newSocketFolder(user: OsUser | undefined): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "np-"));
  if (user) await chown(folder, user.uid, user.gid);
  return folder;
}

/** Messages of Postgres if another one uses its folder, or if it was killed and still has processes there. */
const isInUse = /lock file "postmaster\.pid" already exists|pre-existing shared memory block/;

/** Whether a process that a shell has run was ended by a signal, judging by its exit code. */
const wasKilled = (code: number | null): boolean => code !== null && code > 128;

/** The process id that the shell prints; undefined if the shell does not run. */
function firstLine(watcher: ChildProcess): Promise<number | undefined> {
  return new Promise((resolve) => {
    watcher.once("error", () => resolve(undefined));
    // Both the shell and Postgres may have ended when this is read.
    watcher.stdout
      ?.once("data", (text: Buffer) => resolve(Number(text.toString())))
      .once("close", () => resolve(undefined));
  });
}

/** The reason why Postgres has not started, in its own words. */
async function reasonIn(logFile: string, from: number): Promise<string> {
  const { size } = await stat(logFile);
  const text = (await readFile(logFile)).subarray(Math.min(from, size)).toString();
  const fatal = [...text.matchAll(/(?:FATAL|PANIC|ERROR): {2}(.+)/g)].map(([, message]) => message);
  const details = [...text.matchAll(/LOG: {2}(.*(?:error|invalid|unrecognized|could not|must).*)/gi)].map(
    ([, message]) => message,
  );
  const said = [...details, ...fatal].join("; ") || text.trim().split("\n").at(-1);
  return `Postgres does not start: ${said === undefined || said === "" ? "it said nothing" : said}`;
}
