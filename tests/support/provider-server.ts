import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";

import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Message } from "google-protobuf";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";

import { milliseconds } from "../../api/core/duration";
import type { DynamicKindName } from "../../provider/frozen-entry";
import type { HiddenInputs } from "../../provider/pulumi/properties";
import { decoded, encoded, type Path } from "../../provider/pulumi/wire";
import { providerText } from "../../sdk/provider-text";
import { withoutContents } from "./contents";
import { currentDoor, type Door, urnOf } from "./door";
import { EngineLog, type LogLine } from "./engine-log";
import { type Connection, marked, type Marked, type ProviderPlace, struct, type Values } from "./provider-connection";
import { providerHere } from "./provider-here";
import { startProcess } from "./provider-process";

export { CallError, type PartialFailure, unknownText, type Values } from "./provider-connection";

/** How long each verb may wait, as a program declares it. */
export type Timeouts = Readonly<Partial<Record<"create" | "update" | "delete", string>>>;

/**
 * The engine's information about a resource besides its values. Resource classes add some of it to the inputs of dynamic
 * providers.
 */
export interface About {
  readonly urn?: string;
  readonly timeouts?: Timeouts | undefined;
  readonly isRetained?: boolean | undefined;
  readonly isProtected?: boolean | undefined;
  readonly organization?: string | undefined;
  readonly unknownInputs?: HiddenInputs["unknownInputs"];
  readonly secretOutputs?: readonly string[] | undefined;
  readonly secretMembers?: readonly string[] | undefined;
  /** The inputs in the state. Default: none. */
  readonly oldInputs?: Values;
  /** The paths of secrets in the values. */
  readonly secrets?: readonly Path[] | undefined;
  /** Whether the call is part of a preview, and must change nothing. */
  readonly preview?: boolean;
}

/** Settings of the server's account and surroundings. */
export interface ProviderServerOptions extends ProviderPlace {
  /** Default: that of the suite. */
  readonly door?: Door | undefined;
  /** The settings, with or without their namespace. */
  readonly config: Readonly<Record<string, string>>;
  /** The engine of a run with several provider processes, which the caller stops. Default: a new one. */
  readonly engine?: EngineLog | undefined;
  /**
   * Whether the provider has a process of its own, with Pulumi's real server and sockets. Default: `false`, it runs in this
   * process.
   */
  readonly isProcess?: boolean;
  /** The arguments of the process before the engine's address, as the CLI passes them for `--logflow`. Default: none. */
  readonly flags?: readonly string[];
}

/** A provider, called as the engine calls it. */
export class ProviderServer {
  readonly door: Door;
  readonly #connection: Connection;
  readonly #log: EngineLog;
  readonly #ownsLog: boolean;
  #isStopped = false;

  private constructor(door: Door, connection: Connection, log: EngineLog, ownsLog: boolean) {
    this.door = door;
    this.#connection = connection;
    this.#log = log;
    this.#ownsLog = ownsLog;
  }

  /** The provider's output below the stack: printed text, and messages to the engine. */
  get output(): string {
    const shown = this.lines.filter(({ urn }) => urn === "").map(({ text }) => `${text}\n`);
    return this.#connection.printed() + shown.join("");
  }

  /** The messages at resources, in order. */
  get lines(): readonly LogLine[] {
    return this.#log.lines;
  }

  /** The process of the provider. */
  get process(): ChildProcess {
    return this.#connection.process ?? assert.fail("this provider has no process of its own");
  }

  /** The id of the provider's process. */
  get pid(): number {
    return this.process.pid ?? 0;
  }

  static async start(options: ProviderServerOptions): Promise<ProviderServer> {
    const { door = currentDoor(), config, engine, isProcess = false, flags = [], ...place } = options;
    const log = engine ?? (isProcess ? await EngineLog.start() : new EngineLog());
    const connection = isProcess
      ? await startProcess(door, [...flags, log.address], place)
      : providerHere(door, log, place);
    const server = new ProviderServer(door, connection, log, engine === undefined);
    await server.configure(config);
    return server;
  }

  async configure(config: Readonly<Record<string, string>>): Promise<void> {
    const request = new messages.ConfigureRequest();
    const named = Object.entries(config).map(([setting, value]) => {
      const name = setting.replace(/^neon:/, "");
      return [this.door === "dynamic" ? `neon:${name}` : name, value];
    });
    request.setArgs(struct(Object.fromEntries(named) as Values));
    request.setAcceptsecrets(true);
    await this.#call("configure", request);
  }

  /** The problems of the settings of a plugin. */
  async checkConfig(config: Values): Promise<CheckFailures> {
    const request = new messages.CheckRequest();
    request.setNews(struct(config));
    return (await this.#call<messages.CheckResponse>("checkConfig", request))
      .getFailuresList()
      .map((one) => one.toObject());
  }

  /** Calls a function of the plugin. */
  async invoke(name: string, args: Values): Promise<Values> {
    const request = new messages.InvokeRequest();
    request.setTok(`neon:index:${name}`);
    request.setArgs(struct(args));
    return marked((await this.#call<messages.InvokeResponse>("invoke", request)).getReturn()).outputs;
  }

  async attach(address: string): Promise<void> {
    const request = new PluginAttach();
    request.setAddress(address);
    await this.#call("attach", request);
  }

  /** Sends `Cancel`, as the engine does at the first Ctrl-C and at the end of each run. */
  async cancel(): Promise<void> {
    await this.#call("cancel", new Empty());
  }

  /** Ends the provider: `SIGINT` as the engine does at the end of a run, `SIGKILL` as a crash would. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    if (this.#isStopped) return;
    if (signal === "SIGINT" && this.door === "plugin") await this.cancel();
    await this.interrupt(signal);
  }

  /** Ends the provider during its calls, as a second Ctrl-C does. */
  async interrupt(signal: NodeJS.Signals = "SIGINT"): Promise<void> {
    this.#isStopped = true;
    await this.#connection.end(signal);
    if (this.#ownsLog) this.#log.stop();
  }

  async check(
    kind: DynamicKindName,
    olds: Values,
    news: Values,
    about: About = {},
  ): Promise<{ inputs: Values; failures: CheckFailures; secrets: readonly Path[] }> {
    const request = this.#request(new messages.CheckRequest(), kind, about);
    if (Object.keys(olds).length > 0) request.setOlds(this.#struct(olds, about));
    else request.setOlds(struct({}));
    request.setNews(this.#struct(this.#declared(news, about, kind), about));
    const answer = await this.#call<messages.CheckResponse>("check", request);
    const { outputs: inputs, secrets } = marked(answer.getInputs());
    return { inputs, secrets, failures: failuresOf(answer) };
  }

  async diff(kind: DynamicKindName, id: string, olds: Values, news: Values, about: About = {}): Promise<Diff> {
    const request = this.#request(new messages.DiffRequest(), kind, about);
    request.setId(id);
    request.setOlds(this.#elided(olds, about));
    request.setOldInputs(this.#elided(about.oldInputs ?? {}, about));
    request.setNews(this.#elided(news, about));
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
      changed: answer.getDiffsList(),
      detailed: Object.fromEntries(answer.toObject().detaileddiffMap.map(([path, { kind: is }]) => [path, is])),
    };
  }

  async create(kind: DynamicKindName, inputs: Values, about: About = {}): Promise<Marked & { readonly id: string }> {
    const request = this.#request(new messages.CreateRequest(), kind, about);
    request.setTimeout(seconds(about.timeouts?.create));
    request.setPreview(about.preview ?? false);
    request.setProperties(this.#struct(inputs, about));
    const answer = await this.#call<messages.CreateResponse>("create", request);
    return { id: answer.getId(), ...marked(answer.getProperties()) };
  }

  async update(kind: DynamicKindName, id: string, olds: Values, news: Values, about: About = {}): Promise<Marked> {
    const request = this.#request(new messages.UpdateRequest(), kind, about);
    request.setId(id);
    request.setTimeout(seconds(about.timeouts?.update));
    request.setPreview(about.preview ?? false);
    request.setOlds(this.#elided(olds, about));
    request.setOldInputs(this.#elided(about.oldInputs ?? {}, about));
    request.setNews(this.#struct(news, about));
    return marked((await this.#call<messages.UpdateResponse>("update", request)).getProperties());
  }

  /** Reads an object. The result has an empty `id` if the object does not exist. */
  async read(
    kind: DynamicKindName,
    id: string,
    state: Values,
    about: About = {},
  ): Promise<Marked & { readonly id: string; readonly inputs: Values }> {
    const request = this.#request(new messages.ReadRequest(), kind, about);
    request.setId(id);
    request.setProperties(this.#elided(state, about));
    request.setInputs(this.#elided(about.oldInputs ?? {}, about));
    const answer = await this.#call<messages.ReadResponse>("read", request);
    return { id: answer.getId(), ...marked(answer.getProperties()), inputs: marked(answer.getInputs()).outputs };
  }

  /** Reads an object by its id alone, for a lookup or an import. */
  async lookUp(kind: DynamicKindName, id: string, about: About, args: Values = {}): ReturnType<ProviderServer["read"]> {
    const declared = this.door === "dynamic" ? this.#declared(args, about, kind) : {};
    const read = await this.read(kind, id, declared, about);
    // If the provider returns no inputs, the engine keeps those that it sent.
    return Object.keys(read.inputs).length > 0 ? read : { ...read, inputs: declared };
  }

  async delete(kind: DynamicKindName, id: string, state: Values, about: About = {}): Promise<void> {
    const request = this.#request(new messages.DeleteRequest(), kind, about);
    request.setId(id);
    request.setTimeout(seconds(about.timeouts?.delete));
    request.setProperties(this.#elided(state, about));
    request.setOldInputs(this.#elided(about.oldInputs ?? {}, about));
    await this.#call("delete", request);
  }

  #request<Request extends { setUrn: (urn: string) => void }>(
    request: Request,
    kind: DynamicKindName,
    about: About,
  ): Request {
    request.setUrn(about.urn ?? urnOf(kind, "app", this.door));
    return request;
  }

  /** The arguments of a program, with the additions of the constructor of a dynamic resource class. */
  #declared(args: Values, about: About, kind: DynamicKindName): Values {
    if (this.door === "plugin") return args;
    const { urn = urnOf(kind, "app"), timeouts, isRetained, isProtected, organization } = about;
    const { unknownInputs, secretOutputs, secretMembers } = about;
    return {
      __provider: providerText(kind),
      __neon: { urn, timeouts, isRetained, isProtected, organization, unknownInputs, secretOutputs, secretMembers },
      ...args,
    };
  }

  /** The values of a call. The engine passes the sources of files only to calls that read them. */
  #elided(values: Values, about: About): Struct {
    return this.#struct(withoutContents(values), about);
  }

  #struct(values: Values, { secrets = [] }: About): Struct {
    return struct(encoded(decoded(values).value as Values, this.door === "dynamic" ? [] : secrets));
  }

  async #call<Answer>(method: string, request: Message): Promise<Answer> {
    return (await this.#connection.call(method, request)) as Answer;
  }
}

type CheckFailures = readonly { readonly property: string; readonly reason: string }[];

/** The differences of a resource from its state. */
export interface Diff {
  /** Whether there are differences; with `undefined`, the engine compares the inputs. */
  readonly changes: boolean | undefined;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  /** The changed inputs, if the provider names them. `detailed` has each path in them with the kind of its change. */
  readonly changed: readonly string[];
  readonly detailed: Readonly<Record<string, messages.PropertyDiff.Kind>>;
}

/** The problems with inputs. They set no property, because the engine would show its value: the reason begins with the name. */
function failuresOf(answer: messages.CheckResponse): CheckFailures {
  return answer.getFailuresList().map((failure) => {
    assert.equal(failure.getProperty(), "");
    const [, property = "", reason = ""] = /^(.+?): ([^]*)$/.exec(failure.getReason()) ?? [];
    return { property, reason };
  });
}

function seconds(duration: string | undefined): number {
  return duration === undefined ? 0 : (milliseconds(duration) ?? 0) / 1000;
}
