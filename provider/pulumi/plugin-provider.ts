import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";

import { unlessAborted } from "../../api/clock";
import { invalid } from "../../api/errors";
import type { Lookup } from "../../api/lookups";
import type { Call } from "../call/call";
import type { Problem } from "../call/services";
import { declaredPaths, differences } from "../kind/differences";
import { shapeProblems } from "../kind/input-problems";
import type { AnyKind } from "../kind/kind";
import { check } from "../lifecycle/check";
import { create } from "../lifecycle/create";
import { remove } from "../lifecycle/delete";
import { diff } from "../lifecycle/diff";
import { forecast } from "../lifecycle/forecast";
import { claimImported, importObject } from "../lifecycle/import";
import { read, type Reading } from "../lifecycle/read";
import { PartialFailure } from "../lifecycle/partial-failure";
import { parseState, type State } from "../lifecycle/state";
import { update } from "../lifecycle/update";
import type { ServedKind } from "../lifecycle/work";
import { pulumiOrganizationOf } from "../ownership/workspace";
import { pick, unknownValue, type Values } from "../values";
import { haveSameSettings, settingIn, settingProblems } from "./configuration";
import { diffResponse } from "./plugin-diff";
import { engineAddress } from "./engine";
import { InitFailure } from "./grpc-error";
import { providerProcess, type ProviderProcess } from "./process";
import { inputStruct, outputStruct, type Properties, propertiesOf, withSecretsOf } from "./properties";
import { problemWithoutValue } from "./user-messages";

/** What a plugin is made of. */
interface PluginParts {
  readonly process: NodeJS.Process;
  readonly version: string;
  readonly kinds: Readonly<Record<string, AnyKind>>;
  readonly lookups: Readonly<Record<string, Lookup>>;
  /** The schema of the package. */
  readonly schema: () => PackageSchema;
}

/** The schema of a package, as far as the plugin reads it. */
export interface PackageSchema {
  readonly resources: Readonly<Record<string, { readonly properties?: Values }>>;
}

/** One run of Pulumi: each begins with a `Configure`. */
interface Run {
  readonly process: ProviderProcess;
  /** Ends what queues, sleeps and polls. */
  readonly cancellation: AbortController;
}

/** A request about a resource. Its URN contains its type. */
interface ResourceRequest {
  readonly getUrn: () => string;
  /** In seconds; 0 if the program declares none. */
  readonly getTimeout?: () => number;
}

/** Pulumi's provider protocol, as a door to the lifecycle: the same kinds as for dynamic providers, in every language. */
export class PluginDoor {
  readonly #parts: PluginParts;
  /** The engine that has attached to this process. Default: the one that has started it. */
  #attachedTo: string | undefined;
  #run: Run | undefined;
  /** The default names of the resources whose program of this run declares none, by URN. */
  readonly #defaultNames = new Map<string, string>();

  /** The objects that were read without a state, by URN: those of imports are checked next, without a diff. */
  readonly #found = new Map<string, Reading>();

  constructor(parts: PluginParts) {
    this.#parts = parts;
  }

  getPluginInfo(): PluginInfo {
    const info = new PluginInfo();
    info.setVersion(this.#parts.version);
    return info;
  }

  getSchema(): messages.GetSchemaResponse {
    const response = new messages.GetSchemaResponse();
    response.setSchema(JSON.stringify(this.#parts.schema()));
    return response;
  }

  attach(request: PluginAttach): Empty {
    this.#attachedTo = request.getAddress();
    return new Empty();
  }

  checkConfig(request: messages.CheckRequest): messages.CheckResponse {
    const { values, secrets } = propertiesOf(request.getNews());
    // The state encrypts the key, also if a program has it in plain text.
    const marked = { secrets: [...secrets, ["apiKey"]] };
    return checkResponse(values, marked, settingProblems(values, this.#parts.process.env));
  }

  /** No change of the settings replaces the provider, and with it all resources. */
  diffConfig(request: messages.DiffRequest): messages.DiffResponse {
    const [before, after] = [propertiesOf(request.getOlds()), propertiesOf(request.getNews())];
    const { DIFF_SOME, DIFF_NONE } = messages.DiffResponse.DiffChanges;
    const response = new messages.DiffResponse();
    response.setChanges(haveSameSettings(before.values, after.values) ? DIFF_NONE : DIFF_SOME);
    return response;
  }

  configure(request: messages.ConfigureRequest): messages.ConfigureResponse {
    const { values } = propertiesOf(request.getArgs());
    const engine = this.#attachedTo ?? engineAddress(this.#parts.process.argv.slice(2));
    const process = providerProcess(this.#parts.process, { engine, organizationOf: pulumiOrganizationOf });
    process.configure((name) => settingIn(values, name));
    if (this.#attachedTo === undefined) process.followEngine();
    this.#run = { process, cancellation: new AbortController() };
    const response = new messages.ConfigureResponse();
    response.setAcceptsecrets(true);
    response.setSupportspreview(true);
    return response;
  }

  /** The engine calls it at the first Ctrl-C, and newer ones at the end of each run, too. */
  cancel(): Empty {
    this.#run?.process.run.cancel();
    this.#run?.cancellation.abort(new Error("The run was cancelled"));
    return new Empty();
  }

  async invoke(request: messages.InvokeRequest): Promise<messages.InvokeResponse> {
    const token = request.getTok();
    const lookup = this.#parts.lookups[token.slice(token.lastIndexOf(":") + 1)];
    if (lookup === undefined) throw invalid(`There is no function ${token}.`);
    const { values: args } = propertiesOf(request.getArgs());
    const account = this.#configured.process.services.account();
    const problems = "problems" in account ? account.problems : shapeProblems(lookup.args, args);
    const response = new messages.InvokeResponse();
    response.setFailuresList(problems.map(checkFailure));
    if ("problems" in account || problems.length > 0) return response;
    const { client, settings } = account;
    const reading = this.#reading(() => lookup.invoke({ client, orgId: settings.orgId }, args));
    const answer = await unlessAborted(reading, this.#configured.cancellation.signal);
    response.setReturn(inputStruct(answer, { secrets: lookup.secrets.map((name) => [name]) }));
    return response;
  }

  async check(request: messages.CheckRequest): Promise<messages.CheckResponse> {
    const served = this.#served(request);
    const [before, given] = [propertiesOf(request.getOlds()), propertiesOf(request.getNews())];
    const { defaultName = "" } = served.kind;
    const { [defaultName]: nameBefore } = before.values;
    const call = { ...this.#call(request, []), defaultName: typeof nameBefore === "string" ? nameBefore : undefined };
    const isNew = Object.keys(before.values).length === 0;
    const checked = await this.#reading(() => check(served, call, isNew ? undefined : before.values, given.values));
    if (given.values[defaultName] !== undefined || checked.defaultName === undefined) {
      this.#defaultNames.delete(call.urn);
    } else {
      this.#defaultNames.set(call.urn, checked.defaultName);
    }
    const imported = this.#found.get(call.urn);
    if (imported !== undefined) await claimImported(served, call, imported, checked.inputs);
    return checkResponse(checked.inputs, withSecretsOf(served.kind, given), checked.problems);
  }

  async diff(request: messages.DiffRequest): Promise<messages.DiffResponse> {
    const served = this.#served(request);
    const state = stateOf(served, request.getId(), propertiesOf(request.getOlds()));
    const { values: inputs } = propertiesOf(request.getNews());
    const call = this.#call(request, declaredIn(served, state, request));
    const difference = await this.#reading(() => diff(served, call, state, inputs));
    return diffResponse(difference, state.outputs, inputs);
  }

  async create(request: messages.CreateRequest): Promise<messages.CreateResponse> {
    const served = this.#served(request);
    const given = propertiesOf(request.getProperties());
    const response = new messages.CreateResponse();
    if (request.getPreview()) {
      const outputs = { ...this.#unknownOutputs(served.kind), ...given.values };
      response.setProperties(outputStruct(served.kind, { outputs }, given));
      return response;
    }
    const { id, ...stored } = await this.#changing(served, given, undefined, () =>
      create(served, this.#call(request, []), given.values),
    );
    response.setId(id);
    response.setProperties(outputStruct(served.kind, stored, given));
    return response;
  }

  async update(request: messages.UpdateRequest): Promise<messages.UpdateResponse> {
    const served = this.#served(request);
    const { kind } = served;
    const [before, given] = [propertiesOf(request.getOlds()), propertiesOf(request.getNews())];
    const id = request.getId();
    const state = stateOf(served, id, before);
    const declaredBefore = declaredIn(served, state, request);
    const response = new messages.UpdateResponse();
    if (request.getPreview()) {
      const changed = differences(kind, state.outputs, declaredBefore, given.values);
      const outputs = forecast(kind, id, state, given.values, changed);
      response.setProperties(outputStruct(kind, { outputs }, given, before));
      return response;
    }
    const stored = await this.#changing(served, given, before, () =>
      update(served, this.#call(request, declaredBefore), id, state, given.values),
    );
    response.setProperties(outputStruct(kind, stored, given, before));
    return response;
  }

  /** Reads a resource of the state; or an object of which only the id is known, for an import or a lookup. */
  async read(request: messages.ReadRequest): Promise<messages.ReadResponse> {
    const served = this.#served(request);
    const { kind } = served;
    const [before, declared] = [propertiesOf(request.getProperties()), propertiesOf(request.getInputs())];
    const state = stateOf(served, request.getId(), before);
    // An answer can have lacked what is declared, and with it the inputs that were read.
    const paths = new Set([...(state.hidden.declared ?? []), ...declaredPaths(kind, declared.values)]);
    const call = this.#call(request, [...paths].sort());
    const isKnown = state.hidden.version !== undefined;
    const found = await this.#reading(() => (isKnown ? read(served, call, state) : importObject(served, call, state)));
    const response = new messages.ReadResponse();
    if (found === undefined) return response;
    if (!isKnown) this.#found.set(call.urn, found);
    response.setId(request.getId());
    response.setProperties(outputStruct(kind, found, before, before));
    if (found.inputs !== undefined) {
      // A default name stays what it was, also if somebody renames the object: the next update takes that back.
      const { defaultName = "" } = kind;
      const name = pick(declared.values, [defaultName]);
      response.setInputs(inputStruct({ ...found.inputs, ...name }, withSecretsOf(kind, declared)));
    }
    return response;
  }

  async delete(request: messages.DeleteRequest): Promise<Empty> {
    const served = this.#served(request);
    const state = stateOf(served, request.getId(), propertiesOf(request.getProperties()));
    const call = this.#call(request, state.hidden.declared ?? []);
    await this.#changing(served, { secrets: [] }, undefined, () => remove(served, call, request.getId(), state));
    return new Empty();
  }

  get #configured(): Run {
    if (this.#run === undefined) throw invalid("The provider was called before it was configured.");
    return this.#run;
  }

  #served(request: ResourceRequest): ServedKind {
    const [, , types = ""] = request.getUrn().split("::");
    const kind = this.#parts.kinds[types.slice(types.lastIndexOf(":") + 1)];
    if (kind === undefined) throw invalid(`There is no resource type ${types}.`);
    return { kind, services: this.#configured.process.services };
  }

  #call(request: ResourceRequest, declaredBefore: readonly string[]): Call {
    const urn = request.getUrn();
    const timeout = request.getTimeout?.() ?? 0;
    return {
      urn,
      timeout: timeout > 0 ? timeout * 1000 : undefined,
      declaredBefore,
      defaultName: this.#defaultNames.get(urn),
      // Nothing in this protocol tells.
      isRetained: false,
      signal: this.#configured.cancellation.signal,
    };
  }

  #reading<Result>(call: () => Promise<Result>): Promise<Result> {
    return this.#configured.process.rows.afterLines(call);
  }

  /** Makes a change. If it fails after the platform has accepted something, the engine stores the object all the same. */
  async #changing<Result>(
    { kind }: ServedKind,
    given: Pick<Properties, "secrets">,
    before: Properties | undefined,
    call: () => Promise<Result>,
  ): Promise<Result> {
    const { rows, run } = this.#configured.process;
    try {
      return await rows.afterLines(() => run.during(call));
    } catch (error) {
      if (!(error instanceof PartialFailure)) throw error;
      throw new InitFailure(error, outputStruct(kind, error.stored, given, before));
    }
  }

  /** All outputs of a kind, none of them known yet. */
  #unknownOutputs({ name }: AnyKind): Values {
    const { properties = {} } = this.#parts.schema().resources[`neon:index:${name}`] ?? {};
    return Object.fromEntries(Object.keys(properties).map((output) => [output, unknownValue]));
  }
}

function stateOf({ kind }: ServedKind, id: string, { values, hidden }: Properties): State {
  return parseState(kind, id, { outputs: values, hidden });
}

/** Paths of the inputs that the program declared when the state was written. A failed change has kept them. */
function declaredIn(
  { kind }: ServedKind,
  { hidden }: State,
  request: { readonly getOldInputs: () => Struct | undefined },
): readonly string[] {
  const { values } = propertiesOf(request.getOldInputs());
  return hidden.pending === undefined ? declaredPaths(kind, values) : (hidden.declared ?? []);
}

function checkResponse(
  inputs: Values,
  given: Pick<Properties, "secrets">,
  problems: readonly Problem[],
): messages.CheckResponse {
  const response = new messages.CheckResponse();
  response.setInputs(inputStruct(inputs, given));
  response.setFailuresList(problems.map(problemWithoutValue).map(checkFailure));
  return response;
}

function checkFailure({ property, reason }: Problem): messages.CheckFailure {
  const failure = new messages.CheckFailure();
  failure.setProperty(property);
  failure.setReason(reason);
  return failure;
}
