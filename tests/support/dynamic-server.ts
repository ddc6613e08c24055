import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { credentials, type Metadata, type ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";

import { providerText } from "../../sdk/provider-text";
import type { KindName } from "../../provider/kinds";
import { EngineLog, type LogLine } from "./engine-log";

/** Plain values by name. */
export type Values = Record<string, unknown>;

/** Preloaded, it halves the time that the server takes to start. */
const deferredModules = require.resolve("./deferred-modules");

/** Which mutant of a mutation test is active: without it, the process would run the code that is not mutated. */
const mutant = "__STRYKER_ACTIVE_MUTANT__";

/** A backend that is no folder: the provider cannot see what it holds. */
const service = "https://api.pulumi.example";

/** How the engine writes a value that is not known yet. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** What `create` or `update` threw, when the object is there nevertheless. */
export interface PartialFailure {
  readonly id: string;
  readonly properties: Values;
  readonly reasons: readonly string[];
}

/** A call of the provider that failed. */
export class CallError extends Error {
  constructor(
    message: string,
    readonly partial: PartialFailure | undefined,
  ) {
    super(message);
  }
}

/** Settings of the server's account and surroundings. */
export interface DynamicServerOptions {
  readonly config: Readonly<Record<string, string>>;
  /** Where Pulumi's own things are; the journal is kept below. Default: a folder of its own. */
  readonly home?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** The program's folder, from which the package has to be found. Default: this repository. */
  readonly folder?: string;
  /** The engine of a run that has several provider processes; the caller stops it. Default: one of its own. */
  readonly engine?: EngineLog | undefined;
  /** What the CLI passes before the engine's address, as for `--logflow`. Default: nothing. */
  readonly flags?: readonly string[];
  /** Whether modules that nobody uses are loaded late, which a user's process does not do. Default: true. */
  readonly deferModules?: boolean;
}

/** The SDK's real dynamic-provider server in a process of its own, as the engine starts and calls it. */
export class DynamicServer {
  readonly home: string;
  /** What the server printed: the engine would show it below the stack. */
  output = "";
  readonly #child: ChildProcess;
  readonly #client: ResourceProviderClient;
  readonly #log: EngineLog;
  readonly #ownsHome: boolean;
  readonly #ownsLog: boolean;

  private constructor(
    child: ChildProcess,
    port: string,
    log: EngineLog,
    home: string,
    owns: { readonly home: boolean; readonly log: boolean },
  ) {
    this.#child = child;
    this.#client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
    this.#log = log;
    this.home = home;
    this.#ownsHome = owns.home;
    this.#ownsLog = owns.log;
  }

  /** What it told the engine to show at resources, in order. */
  get lines(): readonly LogLine[] {
    return this.#log.lines;
  }

  /** The id of its process. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  static async start(options: DynamicServerOptions): Promise<DynamicServer> {
    const { config, home, environment = {}, folder, engine, flags = [], deferModules = true } = options;
    const ownHome = home ?? mkdtempSync(join(tmpdir(), "neon-pulumi-home-"));
    const log = engine ?? (await EngineLog.start());
    const script = require.resolve("@pulumi/pulumi/cmd/dynamic-provider");
    const preloaded = deferModules ? ["--require", deferredModules] : [];
    const child = spawn(process.execPath, [...preloaded, script, ...flags, log.address], {
      cwd: folder ?? process.cwd(),
      env: {
        PATH: process.env["PATH"],
        HOME: ownHome,
        PULUMI_HOME: ownHome,
        PULUMI_BACKEND_URL: service,
        ...(process.env[mutant] === undefined ? {} : { [mutant]: process.env[mutant] }),
        ...environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const port = await new Promise<string>((resolve, reject) => {
      child.stdout.once("data", (data: Buffer) => resolve(String(data).trim()));
      child.once("exit", (code) => reject(new Error(`the dynamic-provider server ended with ${code ?? "a signal"}`)));
    });
    const server = new DynamicServer(child, port, log, ownHome, {
      home: home === undefined,
      log: engine === undefined,
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (data: Buffer) => (server.output += String(data)));
    }
    const request = new messages.ConfigureRequest();
    request.setArgs(struct(config));
    await server.#call("configure", request);
    return server;
  }

  /** Ends the process: `SIGKILL` as a crash would. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    this.#client.close();
    if (this.isRunning) {
      const ended = new Promise((resolve) => this.#child.once("exit", resolve));
      this.#child.kill(signal);
      await ended;
    }
    if (this.#ownsLog) this.#log.stop();
    if (this.#ownsHome && signal !== "SIGKILL") rmSync(this.home, { recursive: true, force: true });
  }

  async check(
    kind: KindName,
    olds: Values,
    news: Values,
  ): Promise<{ inputs: Values; failures: { property: string; reason: string }[] }> {
    const request = new messages.CheckRequest();
    request.setOlds(struct(Object.keys(olds).length === 0 ? {} : own(kind, olds)));
    request.setNews(struct(own(kind, news)));
    const answer = await this.#call<messages.CheckResponse>("check", request);
    return {
      inputs: answer.getInputs()?.toJavaScript() ?? {},
      failures: answer.getFailuresList().map((failure) => failure.toObject()),
    };
  }

  async diff(
    kind: KindName,
    id: string,
    olds: Values,
    news: Values,
  ): Promise<{ changes: boolean | undefined; replaces: string[]; deleteBeforeReplace: boolean }> {
    const request = new messages.DiffRequest();
    request.setId(id);
    request.setOlds(struct(own(kind, olds)));
    request.setNews(struct(own(kind, news)));
    const answer = await this.#call<messages.DiffResponse>("diff", request);
    const { DIFF_SOME, DIFF_NONE } = messages.DiffResponse.DiffChanges;
    const changes = new Map<number, boolean>([
      [DIFF_SOME, true],
      [DIFF_NONE, false],
    ]);
    return {
      changes: changes.get(answer.getChanges()),
      replaces: answer.getReplacesList(),
      deleteBeforeReplace: answer.getDeletebeforereplace(),
    };
  }

  async create(kind: KindName, inputs: Values): Promise<{ id: string; outputs: Values }> {
    const request = new messages.CreateRequest();
    request.setProperties(struct(own(kind, inputs)));
    const answer = await this.#call<messages.CreateResponse>("create", request);
    return { id: answer.getId(), outputs: answer.getProperties()?.toJavaScript() ?? {} };
  }

  async update(kind: KindName, id: string, olds: Values, news: Values): Promise<Values> {
    const request = new messages.UpdateRequest();
    request.setId(id);
    request.setOlds(struct(own(kind, olds)));
    request.setNews(struct(own(kind, news)));
    const answer = await this.#call<messages.UpdateResponse>("update", request);
    return answer.getProperties()?.toJavaScript() ?? {};
  }

  /** `id` is empty when the object is gone. */
  async read(kind: KindName, id: string, state: Values): Promise<{ id: string; outputs: Values; inputs: Values }> {
    const request = new messages.ReadRequest();
    request.setId(id);
    request.setProperties(struct(own(kind, state)));
    const answer = await this.#call<messages.ReadResponse>("read", request);
    return {
      id: answer.getId(),
      outputs: answer.getProperties()?.toJavaScript() ?? {},
      inputs: answer.getInputs()?.toJavaScript() ?? {},
    };
  }

  async delete(kind: KindName, id: string, state: Values): Promise<void> {
    const request = new messages.DeleteRequest();
    request.setId(id);
    request.setProperties(struct(own(kind, state)));
    await this.#call("delete", request);
  }

  #call<Answer>(method: string, request: unknown): Promise<Answer> {
    const client = this.#client as unknown as Record<
      string,
      (request: unknown, callback: (error: ServiceError | null, answer: Answer) => void) => void
    >;
    return new Promise((resolve, reject) => {
      client[method]?.(request, (error, answer) => {
        if (error === null) resolve(answer);
        else reject(new CallError(error.details, partialFailure(error.metadata)));
      });
    });
  }
}

function own(kind: KindName, values: Values): Values {
  return { __provider: providerText(kind), ...values };
}

function struct(values: object): Struct {
  return Struct.fromJavaScript(JSON.parse(JSON.stringify(values)) as Record<string, JavaScriptValue>);
}

function partialFailure(metadata: Metadata): PartialFailure | undefined {
  const [bytes] = metadata.get("grpc-status-details-bin");
  if (!(bytes instanceof Buffer)) return undefined;
  const [detail] = Status.deserializeBinary(bytes).getDetailsList();
  if (detail === undefined) return undefined;
  const failure = messages.ErrorResourceInitFailed.deserializeBinary(detail.getValue_asU8());
  return {
    id: failure.getId(),
    properties: failure.getProperties()?.toJavaScript() ?? {},
    reasons: failure.getReasonsList(),
  };
}
