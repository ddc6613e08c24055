import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";

import { activeVersion, endBuild, unbuiltVersions } from "../model/branches/function-deployment";
import type { FunctionDeploymentRow, FunctionRow } from "../model/branches/function-row";
import type { ControlPlane } from "../model/control-plane";
import type { Tables } from "../model/tables";
import { isAlive } from "../postgres/is-alive";
import { commitLater } from "../storage/commit-later";
import { makeRemovable, temporaryFolder } from "../storage/temporary-folder";
import { unpack } from "./bundle";
import { environmentOf } from "./environment";
import { answerWith, FunctionProcess } from "./function-process";
import type { LogLine } from "./messages";

/** The tables whose changes the host acts on. */
export const hostTables: readonly (keyof Tables)[] = [
  "functions",
  "functionDeployments",
  "branches",
  "projects",
  // The sources of variables.
  "endpoints",
  "roles",
  "databases",
  "neonAuth",
  "buckets",
  "credentials",
];

/** The number of processes in a row that may end by themselves before one takes a request. */
const maxEnds = 2;

interface HostOptions {
  readonly controlPlane: ControlPlane;
  readonly commit: (change: () => void) => void;
  /** The certificate authority of the databases, if there are any. */
  readonly caFile: string | undefined;
}

/** A function that is served at its port. */
interface Served {
  readonly server: Server;
  /** The process that answers, and the plan for which it was started. */
  running?: { readonly process: FunctionProcess; readonly plan: string } | undefined;
}

/** A connection that is not served, with the reason. */
class Refusal extends Error {
  readonly status: string;

  constructor(status: string, message: string) {
    super(message);
    this.status = status;
  }
}

/** Builds deployments, and runs functions: each at a port of its own, in a process that starts with the first request. */
export class FunctionHost {
  readonly #options: HostOptions;
  /** A secret that only the platform knows, so that functions can distinguish the platform from clients. */
  readonly secret: string = randomUUID();
  readonly #served = new Map<string, Served>();
  /** The versions whose build is in progress. */
  readonly #builds = new Map<string, Promise<void>>();
  /** Each process with the promise that its files are removed. */
  readonly #processes = new Map<FunctionProcess, Promise<void>>();
  #started = 0;
  readonly #draining = new Set<Promise<void>>();
  #folder: string | undefined;
  readonly #closing = new AbortController();

  constructor(options: HostOptions) {
    this.#options = options;
  }

  /** Opens and closes ports, and starts builds. Called after every change. */
  run(): void {
    if (this.#closing.signal.aborted) return;
    const { controlPlane } = this.#options;
    const rows = new Map(visibleFunctions(controlPlane).map((row) => [keyOf(row), row]));
    for (const [key, served] of this.#served) if (!rows.has(key)) this.#close(key, served);
    for (const [key, row] of rows) {
      const served = this.#served.get(key);
      if (!served) void this.#open(key, row);
      else if (served.running && served.running.plan !== this.#plan(row)?.text) this.#stop(served);
    }
    for (const version of unbuiltVersions(controlPlane)) {
      const key = `${keyOf(version)}/${version.id}`;
      if (!this.#builds.has(key))
        this.#builds.set(
          key,
          this.#build(version).finally(() => this.#builds.delete(key)),
        );
    }
  }

  /** Waits until replaced processes get no further requests, not even on open connections. */
  async settled(): Promise<void> {
    await Promise.all(this.#draining);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const [key, served] of this.#served) this.#close(key, served);
    const removed = [...this.#processes.values()];
    await Promise.all([...this.#processes.keys()].map((process) => process.stop()));
    await Promise.all(removed);
    await Promise.all(this.#builds.values());
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Opens a port for a function. Prefers the port that the function had, so that its URL stays the same after a restart. */
  async #open(key: string, row: FunctionRow): Promise<void> {
    const server = createServer(
      { pauseOnConnect: true, noDelay: true, allowHalfOpen: true },
      (socket) => void this.#serve(key, socket),
    );
    this.#served.set(key, { server });
    const listen = async (port: number): Promise<void> => {
      await once(server.listen(port, "127.0.0.1"), "listening");
    };
    await listen(row.port ?? 0).catch(() => listen(0));
    const { port } = server.address() as AddressInfo;
    const { functions } = this.#options.controlPlane.tables;
    if (port === row.port) return;
    await this.#commit(() => {
      const { branch_id, slug } = row;
      const now = functions.get({ branch_id, slug });
      if (now) functions.put({ ...now, port });
    });
  }

  #close(key: string, served: Served): void {
    this.#served.delete(key);
    served.server.close();
    this.#stop(served);
  }

  #stop(served: Served): void {
    const process = served.running?.process;
    served.running = undefined;
    if (!process) return;
    void process.stop();
    const drained = process.drained.finally(() => this.#draining.delete(drained));
    this.#draining.add(drained);
  }

  async #serve(key: string, socket: Socket): Promise<void> {
    socket.on("error", () => socket.destroy());
    try {
      // A process that has ended, or was replaced while it loaded, takes no connection: try its successor.
      for (let ends = 0; ends < maxEnds;) {
        const process = this.#processOf(key);
        const isReplaced = (): boolean => this.#served.get(key)?.running?.process !== process;
        await process.ready.catch((error: unknown) => {
          if (!isReplaced())
            throw new Refusal("502 Bad Gateway", error instanceof Error ? error.message : String(error));
        });
        if (await process.accept(socket)) return;
        if (!isReplaced()) ends += 1;
      }
      throw new Refusal("502 Bad Gateway", "the process ended before it took the request");
    } catch (error) {
      const { status, message } =
        error instanceof Refusal ? error : new Refusal("500 Internal Server Error", "the function cannot be started");
      if (!(error instanceof Refusal)) console.error(`function ${key}:`, error);
      answerWith(socket, status, message);
    }
  }

  /** The process of the active version with its present variables. */
  #processOf(key: string): FunctionProcess {
    const served = this.#served.get(key);
    const [branch_id = "", slug = ""] = key.split("/");
    const row = this.#options.controlPlane.tables.functions.get({ branch_id, slug });
    const plan = row && this.#plan(row);
    if (!served || !plan) throw new Refusal("404 Not Found", "no deployment of this function has completed");
    const { running } = served;
    if (running && running.plan === plan.text && running.process.isConnected) return running.process;
    this.#stop(served);
    const { port } = served.server.address() as AddressInfo;
    const process = this.#start(plan.version, plan.environment, (lines) => this.#log(row, lines), `127.0.0.1:${port}`);
    served.running = { process, plan: plan.text };
    return process;
  }

  /** The version and the variables that a function is to run now; undefined if no version was built. */
  #plan(row: FunctionRow) {
    const { controlPlane, caFile } = this.#options;
    const version = activeVersion(controlPlane, row);
    if (!version) return undefined;
    const environment = environmentOf(controlPlane, version, caFile);
    return { version, environment, text: JSON.stringify([version.id, environment]) };
  }

  #start(
    version: FunctionDeploymentRow,
    environment: Readonly<Record<string, string>>,
    onLog: (lines: readonly LogLine[]) => void,
    host = "",
  ): FunctionProcess {
    const { clock, tables } = this.#options.controlPlane;
    const { zip } = tables.functionBundles.getOr404("bundle", { hash: version.bundle });
    this.#folder ??= temporaryFolder("neon-platform-functions-", isAlive);
    // Each process has its own folder, because its code can make the files writable, and change them.
    const folder = join(this.#folder, String((this.#started += 1)));
    const remove = async (): Promise<void> => {
      makeRemovable(folder);
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    };
    try {
      const entry = unpack(Buffer.from(zip, "base64"), join(folder, "code"));
      const socket = join(folder, "socket");
      const { secret } = this;
      const account = tables.projects.get({ id: version.project_id })?.owner_id ?? "";
      const onRunning = (): void => this.#shareLimit(account);
      const process = new FunctionProcess({
        entry,
        environment,
        socket,
        host,
        secret,
        account,
        onRunning,
        clock,
        onLog,
      });
      const removed = process.ended.then(remove).catch(console.error);
      this.#processes.set(process, removed);
      onRunning();
      void removed.then(() => this.#processes.delete(process));
      return process;
    } catch (error) {
      void remove().catch(console.error);
      throw error;
    }
  }

  /** Tells each process of an account how many invocations the others are answering. */
  #shareLimit(account: string): void {
    const processes = [...this.#processes.keys()].filter((process) => process.account === account);
    const running = processes.reduce((sum, process) => sum + process.running, 0);
    for (const process of processes) process.shareLimit(running - process.running);
  }

  /** Builds a version: loads its code once. */
  async #build(version: FunctionDeploymentRow): Promise<void> {
    const { controlPlane, caFile } = this.#options;
    let failure: string | undefined;
    try {
      const process = this.#start(version, environmentOf(controlPlane, version, caFile), () => undefined);
      await process.ready.finally(() => process.kill());
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    }
    // If the platform is closing, the next start builds the version.
    await this.#commit(() => endBuild(controlPlane, version, failure));
  }

  async #commit(change: () => void): Promise<void> {
    const { signal } = this.#closing;
    if (!signal.aborted) await commitLater(this.#options.commit, change, signal);
  }

  #log({ id, branch_id, slug }: FunctionRow, lines: readonly LogLine[]): void {
    const { logs, clock } = this.#options.controlPlane;
    for (const { scope, severity, message, traceId } of lines) {
      logs.add({
        branch_id,
        at: clock.now(),
        message,
        source: "function",
        entity_id: id,
        service_name: `neon-function/${slug}`,
        scope_name: `neon.function.${scope}`,
        severity_text: severity,
        trace_id: traceId,
      });
    }
  }
}

const keyOf = ({ branch_id, slug }: Pick<FunctionRow, "branch_id" | "slug">): string => `${branch_id}/${slug}`;

/** The functions of all branches that are not deleted. */
function visibleFunctions({ tables }: ControlPlane): FunctionRow[] {
  const isVisible = `AND EXISTS (SELECT 1 FROM branches b JOIN projects p ON p.id = b.project_id
    WHERE b.id = functions.branch_id AND b.deleted_at IS NULL AND p.deleted_at IS NULL)`;
  return tables.functions.list({}, isVisible);
}
