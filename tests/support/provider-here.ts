import { setMaxListeners } from "node:events";
import { readFileSync } from "node:fs";

import type { dynamic } from "@pulumi/pulumi";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Message } from "google-protobuf";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";

import { unlessAborted } from "../../api/core/clock";
import type { Transport } from "../../api/http/transport";
import { lookups } from "../../api/lookups";
import type { DynamicKindName } from "../../provider/frozen-entry";
import { dynamicKinds, kinds } from "../../provider/kinds";
import type { ProcessDependencies } from "../../provider/pulumi/dependencies";
import { DynamicDoor } from "../../provider/pulumi/dynamic-provider";
import { statusOf } from "../../provider/pulumi/grpc-error";
import { methodsOf } from "../../provider/pulumi/grpc-server";
import { checkFailure } from "../../provider/pulumi/plugin-messages";
import { type PackageSchema, PluginDoor } from "../../provider/pulumi/plugin-provider";
import { connector } from "../../provider/settings/connect";
import type { Door } from "./door";
import type { EngineLog } from "./engine-log";
import type { HurriedClock } from "./hurried-clock";
import {
  backend,
  CallError,
  type Connection,
  marked,
  type ProviderPlace,
  struct,
  unknownText,
  type Values,
} from "./provider-connection";
import { partialFailure } from "./provider-process";
import { send } from "./send";

/** The methods of a door, and the conversion of a failure to the engine's form. */
interface Served {
  readonly methods: Readonly<Record<string, (request: never) => unknown>>;
  readonly failure: (error: unknown, method: string) => CallError;
}

const providerMember = "__provider";

/** A folder that does not exist. */
const nowhere = "/nonexistent";

/**
 * Creates a provider in this process. It is independent of others, as in a process of its own, and calls its engine without
 * a socket.
 */
export function providerHere(door: Door, log: EngineLog, place: ProviderPlace): Connection {
  const ended = new AbortController();
  // Each call adds a listener.
  setMaxListeners(0, ended.signal);
  const lines: string[] = [];
  const { home = nowhere, environment, folder = process.cwd(), clock } = place;
  const { methods, failure } = { dynamic: dynamicDoor, plugin: pluginDoor }[door]({
    environment: { HOME: home, PULUMI_HOME: home, PULUMI_BACKEND_URL: backend, ...environment },
    folder,
    engine: () => log.engine(),
    connect: connector({ transport: untilEnded(ended.signal, clock), clock }),
    print: (line) => void lines.push(`${line}\n`),
  });
  const answer = async (method: string, request: Message): Promise<unknown> => {
    try {
      return await methods[method]?.(request as never);
    } catch (error) {
      throw failure(error, method);
    }
  };
  return {
    printed: () => lines.join(""),
    call: (method, request) => unlessAborted(answer(method, request), ended.signal),
    end: () => {
      ended.abort(new CallError("the provider was stopped", undefined));
      return Promise.resolve();
    },
  };
}

/** A transport that sends and returns nothing after the end of its process. It takes half of the time of `node-fetch`. */
function untilEnded(ended: AbortSignal, clock: HurriedClock | undefined): Transport {
  const nothing = new Promise<never>(() => undefined);
  return async ({ url, signal, ...request }) => {
    try {
      const sending = () => send(url, { ...request, signal: AbortSignal.any([signal, ended]) });
      const { status, headers, text } = await (clock === undefined ? sending() : clock.during(sending));
      // Node's server writes the time of this machine, in whole seconds.
      if (clock !== undefined && headers.has("date")) headers.set("date", clock.date().toUTCString());
      return { status, header: (name) => headers.get(name) ?? undefined, body: text };
    } catch (error) {
      if (ended.aborted) return nothing;
      throw error;
    }
  };
}

const schema = JSON.parse(readFileSync("plugin/schema.json", "utf8")) as PackageSchema;

function pluginDoor(dependencies: ProcessDependencies): Served {
  const door = new PluginDoor({ dependencies, kinds, lookups, version: "0.0.0", schema: () => schema });
  return {
    methods: methodsOf(door),
    failure: (error) => {
      const { details = "", metadata } = statusOf(error, door.keySource);
      return new CallError(details, partialFailure(metadata));
    },
  };
}

/** Imitates Pulumi's `cmd/dynamic-provider`. */
function dynamicDoor(dependencies: ProcessDependencies): Served {
  const door = new DynamicDoor(dependencies);
  const providers = new Map<string, Promise<Provider>>();
  let config: Values = {};
  const made = async (text: string): Promise<Provider> => {
    const kind = /\.provider\("(\w+)"\)/.exec(text)?.[1];
    const provider = door.provider(dynamicKinds[kind as DynamicKindName]);
    const get = (name: string): string | undefined => config[name] as string | undefined;
    await provider.configure?.({ config: { get, require: (name) => get(name) ?? "" } });
    return provider;
  };
  const providerOf = (values: Values, others: Values = {}): Promise<Provider> => {
    const text = String((values[providerMember] === unknownText ? others : values)[providerMember]);
    const provider = providers.get(text) ?? made(text);
    providers.set(text, provider);
    return provider;
  };
  return {
    methods: {
      configure: (request: messages.ConfigureRequest) => {
        config = valuesOf(request.getArgs());
        return new messages.ConfigureResponse();
      },
      cancel: () => new Empty(),
      check: async (request: messages.CheckRequest) => {
        const [olds, news] = [valuesOf(request.getOlds()), valuesOf(request.getNews())];
        const provider = await providerOf(news, olds);
        const { inputs, failures = [] } = (await provider.check?.(olds, news)) ?? {};
        const response = new messages.CheckResponse();
        response.setInputs(withProvider(inputs, news));
        response.setFailuresList(failures.map(checkFailure));
        return response;
      },
      diff: async (request: messages.DiffRequest) => {
        const [olds, news] = [valuesOf(request.getOlds()), valuesOf(request.getNews())];
        const provider = await providerOf(news, olds);
        const {
          changes,
          replaces = [],
          deleteBeforeReplace = false,
        } = (await provider.diff?.(request.getId(), olds, news)) ?? {};
        const { DIFF_SOME, DIFF_NONE, DIFF_UNKNOWN } = messages.DiffResponse.DiffChanges;
        const response = new messages.DiffResponse();
        response.setChanges(changes === undefined ? DIFF_UNKNOWN : changes ? DIFF_SOME : DIFF_NONE);
        response.setReplacesList(replaces);
        response.setDeletebeforereplace(deleteBeforeReplace);
        return response;
      },
      create: async (request: messages.CreateRequest) => {
        const news = valuesOf(request.getProperties());
        const provider = await providerOf(news);
        const { id, outs } = await provider.create(news);
        const response = new messages.CreateResponse();
        response.setId(id);
        response.setProperties(withProvider(outs, news));
        return response;
      },
      update: async (request: messages.UpdateRequest) => {
        const [olds, news] = [valuesOf(request.getOlds()), valuesOf(request.getNews())];
        const provider = await providerOf(news);
        const { outs } = (await provider.update?.(request.getId(), olds, news)) ?? {};
        const response = new messages.UpdateResponse();
        response.setProperties(withProvider(outs, news));
        return response;
      },
      read: async (request: messages.ReadRequest) => {
        const known = valuesOf(request.getProperties());
        const provider = await providerOf(known);
        const { id = "", props, inputs } = (await provider.read?.(request.getId(), known)) ?? {};
        const response = new messages.ReadResponse();
        response.setId(id);
        response.setProperties(withProvider(props, known));
        if (inputs !== undefined) response.setInputs(withProvider(inputs, known));
        return response;
      },
      delete: async (request: messages.DeleteRequest) => {
        const known = valuesOf(request.getProperties());
        const provider = await providerOf(known);
        await provider.delete?.(request.getId(), known);
        return new Empty();
      },
    },
    failure: (error, method) => {
      const { message, stack = "", id, properties = {}, reasons = [] } = error as DynamicFailure;
      if (!["create", "update"].includes(method)) dependencies.print(`${String(error)}: ${stack}`);
      if (id === undefined) return new CallError(message, undefined);
      const { outputs, secrets } = marked(struct(properties));
      return new CallError(message, { id, properties: outputs, secrets, reasons });
    },
  };
}

type Provider = dynamic.ResourceProvider<Values, Values>;

/** The error of a dynamic provider. If it has an id, the engine stores the object. */
interface DynamicFailure extends Error {
  readonly id?: string;
  readonly properties?: Values;
  readonly reasons?: readonly string[];
}

function valuesOf(properties: Struct | undefined): Values {
  return properties?.toJavaScript() ?? {};
}

/** The values of a dynamic provider, with the serialized provider, as Pulumi adds it. */
function withProvider(values: Values | undefined, { [providerMember]: provider }: Values): Struct {
  return Struct.fromJavaScript({ ...(values as Properties), [providerMember]: provider as string });
}

type Properties = Readonly<Record<string, JavaScriptValue>>;
