import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";

import { invalid } from "../../api/core/errors";
import type { Call } from "../call/call";
import { declaredPaths, differences } from "../kind/differences";
import type { AnyKind } from "../kind/kind";
import { check } from "../lifecycle/check";
import { create } from "../lifecycle/create";
import { remove } from "../lifecycle/delete";
import { diff } from "../lifecycle/diff";
import { forecast } from "../lifecycle/forecast";
import { claimImported, importObject } from "../lifecycle/import";
import { assertComplete } from "../lifecycle/lost-inputs";
import { PartialFailure } from "../lifecycle/partial-failure";
import { read, type Reading } from "../lifecycle/read";
import type { State } from "../lifecycle/state";
import { update } from "../lifecycle/update";
import type { ServedKind } from "../lifecycle/work";
import { pick, unknownValue, type Values } from "../values";
import { addressOfBareId } from "./bare-id";
import { InitFailure } from "./grpc-error";
import { checkResponse, diffResponse, outputStruct, propertiesIn, structOf } from "./plugin-messages";
import type { ProviderProcess } from "./process";
import { declaredIn, defaultNameIn, isNone, type Properties, secretPaths, stateOf } from "./properties";

/** One run of Pulumi. It begins with a `Configure`. */
export interface Run {
  readonly process: ProviderProcess;
  /** Ends waiting for locks, sleeping and polling. */
  readonly cancellation: AbortController;
}

/** The dependencies of {@link PluginResources}. */
interface ResourceParts {
  readonly kinds: Readonly<Record<string, AnyKind>>;
  /** The names of all outputs of a kind. */
  readonly outputsOf: (kind: string) => readonly string[];
  /**
   * The run of Pulumi that makes the call.
   *
   * @throws NeonError if the provider was not configured
   */
  readonly run: () => Run;
}

/** A request about a resource. Its URN contains its type. */
interface ResourceRequest {
  readonly getUrn: () => string;
  /** The timeout in seconds; 0 if the program declares none. */
  readonly getTimeout?: () => number;
}

/** The methods of Pulumi's provider protocol that are about one resource. */
export class PluginResources {
  readonly #parts: ResourceParts;
  /** The default names of resources for which this run's program declares no name, by URN. */
  readonly #defaultNames = new Map<string, string>();
  /** The objects that were read without a state, by URN. An import checks its object next, without a diff. */
  readonly #found = new Map<string, Reading>();

  constructor(parts: ResourceParts) {
    this.#parts = parts;
  }

  async check(request: messages.CheckRequest): Promise<messages.CheckResponse> {
    const served = this.#served(request);
    const [before, given] = [propertiesIn(request.getOlds()), propertiesIn(request.getNews())];
    const { kind } = served;
    const call = { ...this.#call(request, []), defaultName: defaultNameIn(kind, before) };
    const imported = this.#found.get(call.urn);
    const checked = await this.#reading(() =>
      check(served, call, isNone(before) ? undefined : before.values, given.values, imported !== undefined),
    );
    if (given.values[kind.defaultName ?? ""] !== undefined || checked.defaultName === undefined) {
      this.#defaultNames.delete(call.urn);
    } else {
      this.#defaultNames.set(call.urn, checked.defaultName);
    }
    if (imported !== undefined) await claimImported(served, call, imported, checked.inputs);
    return checkResponse(checked.inputs, secretPaths(kind, given), checked.problems);
  }

  async diff(request: messages.DiffRequest): Promise<messages.DiffResponse> {
    const served = this.#served(request);
    const state = stateOf(served.kind, request.getId(), propertiesIn(request.getOlds()));
    const { values: inputs } = propertiesIn(request.getNews());
    const call = this.#call(request, declaredIn(served.kind, state, propertiesIn(request.getOldInputs())));
    const difference = await this.#reading(() => diff(served, call, state, inputs));
    return diffResponse(served.kind, difference, state.outputs, inputs);
  }

  async create(request: messages.CreateRequest): Promise<messages.CreateResponse> {
    const served = this.#served(request);
    const given = propertiesIn(request.getProperties());
    const response = new messages.CreateResponse();
    if (request.getPreview()) {
      assertComplete(served, this.#call(request, []), given.values, true);
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
    const [before, given] = [propertiesIn(request.getOlds()), propertiesIn(request.getNews())];
    const id = request.getId();
    const state = stateOf(kind, id, before);
    const declaredBefore = declaredIn(kind, state, propertiesIn(request.getOldInputs()));
    const response = new messages.UpdateResponse();
    if (request.getPreview()) {
      assertComplete(served, this.#call(request, declaredBefore), given.values, false);
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

  /** Reads a resource in the state. For an import or a lookup, reads an object of which only the id is known. */
  async read(request: messages.ReadRequest): Promise<messages.ReadResponse> {
    const served = this.#served(request);
    const { kind } = served;
    const [before, declared] = [propertiesIn(request.getProperties()), propertiesIn(request.getInputs())];
    const state = await this.#stateOf(served, request.getId(), before);
    // An earlier answer may have lacked a declared value, and therefore the input that was read from it.
    const paths = new Set([...(state.hidden.declared ?? []), ...declaredPaths(kind, declared.values)]);
    const call = this.#call(request, [...paths].sort());
    const isKnown = state.hidden.version !== undefined;
    const found = await this.#reading(() => (isKnown ? read(served, call, state) : importObject(served, call, state)));
    const response = new messages.ReadResponse();
    if (found === undefined) return response;
    if (!isKnown) this.#found.set(call.urn, found);
    response.setId(isKnown ? request.getId() : kind.id(found.outputs));
    response.setProperties(outputStruct(kind, found, before, before));
    if (found.inputs !== undefined) {
      // A default name stays the same even if somebody renames the object. The next update reverts that.
      const { defaultName = "" } = kind;
      const name = pick(declared.values, [defaultName]);
      response.setInputs(structOf({ values: { ...found.inputs, ...name }, secrets: secretPaths(kind, declared) }));
    }
    return response;
  }

  async delete(request: messages.DeleteRequest): Promise<Empty> {
    const served = this.#served(request);
    const state = stateOf(served.kind, request.getId(), propertiesIn(request.getProperties()));
    const call = this.#call(request, state.hidden.declared ?? []);
    await this.#changing(served, {}, undefined, () => remove(served, call, request.getId(), state));
    return new Empty();
  }

  /**
   * The state of a resource. For an object without a state, its address, which the id of another tool may hold only in
   * part.
   */
  async #stateOf(served: ServedKind, id: string, before: Properties): Promise<State> {
    const account = before.hidden === undefined ? served.services.account() : undefined;
    const found =
      account === undefined || "problems" in account ? undefined : await addressOfBareId(served.kind, account, id);
    return found === undefined ? stateOf(served.kind, id, before) : { outputs: found, hidden: {} };
  }

  #served(request: ResourceRequest): ServedKind {
    const [, , types = ""] = request.getUrn().split("::");
    const kind = this.#parts.kinds[types.slice(types.lastIndexOf(":") + 1)];
    if (kind === undefined) throw invalid(`There is no resource type ${types}.`);
    return { kind, services: this.#parts.run().process.services };
  }

  #call(request: ResourceRequest, declaredBefore: readonly string[]): Call {
    const urn = request.getUrn();
    const timeout = request.getTimeout?.() ?? 0;
    return {
      urn,
      timeout: timeout > 0 ? timeout * 1000 : undefined,
      declaredBefore,
      defaultName: this.#defaultNames.get(urn),
      // This protocol does not tell.
      isRetained: false,
      replaced: {},
      lost: "any",
      signal: this.#parts.run().cancellation.signal,
    };
  }

  #reading<Result>(call: () => Promise<Result>): Promise<Result> {
    return this.#parts.run().process.rows.afterLines(call);
  }

  /** Makes a change. If it fails after the platform has accepted something, the engine still stores the object. */
  async #changing<Result>(
    { kind }: ServedKind,
    given: Pick<Properties, "secrets">,
    before: Properties | undefined,
    call: () => Promise<Result>,
  ): Promise<Result> {
    const { rows, keySource } = this.#parts.run().process;
    try {
      return await rows.afterLines(call);
    } catch (error) {
      if (!(error instanceof PartialFailure)) throw error;
      throw new InitFailure(error, outputStruct(kind, error.stored, given, before), keySource());
    }
  }

  /** All outputs of a kind, as unknown values. */
  #unknownOutputs({ name }: AnyKind): Values {
    return Object.fromEntries(this.#parts.outputsOf(name).map((output) => [output, unknownValue]));
  }
}
