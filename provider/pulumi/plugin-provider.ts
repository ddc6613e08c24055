import { setMaxListeners } from "node:events";

import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";

import { unlessAborted } from "../../api/core/clock";
import { invalid } from "../../api/core/errors";
import type { Lookup } from "../../api/lookups";
import { shapeProblems } from "../kind/input-problems";
import type { AnyKind } from "../kind/kind";
import { keySource, type KeySource } from "../settings/key-source";
import type { Values } from "../values";
import { haveSameSettings, settingIn, settingProblems } from "./configuration";
import type { ProcessDependencies } from "./dependencies";
import { checkFailure, checkResponse, propertiesIn, structOf } from "./plugin-messages";
import { PluginResources, type Run } from "./plugin-resources";
import { providerProcess } from "./process";
import { terraformMapping } from "./terraform";

/** The parts of a plugin. */
interface PluginParts {
  readonly dependencies: ProcessDependencies;
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

/**
 * Serves the lifecycle through Pulumi's provider protocol: the same kinds as for dynamic providers, in every language.
 */
export class PluginDoor {
  /** The methods that are about one resource. */
  readonly resources: PluginResources;
  readonly #parts: PluginParts;
  /** The engine that has attached to this process. Default: the engine that started it. */
  #attachedTo: string | undefined;
  #run: Run | undefined;

  constructor(parts: PluginParts) {
    this.#parts = parts;
    this.resources = new PluginResources({
      kinds: parts.kinds,
      outputsOf: (kind) => Object.keys(parts.schema().resources[`neon:index:${kind}`]?.properties ?? {}),
      run: () => this.#configured,
    });
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

  /** The Terraform providers that this one has a mapping for. */
  getMappings(request: messages.GetMappingsRequest): messages.GetMappingsResponse {
    const response = new messages.GetMappingsResponse();
    response.setProvidersList(request.getKey() === "terraform" ? ["neon"] : []);
    return response;
  }

  /** Returns the mapping. For another provider or tool, the answer is empty. */
  getMapping(request: messages.GetMappingRequest): messages.GetMappingResponse {
    const response = new messages.GetMappingResponse();
    if (request.getKey() !== "terraform" || !["", "neon"].includes(request.getProvider())) return response;
    response.setProvider("neon");
    response.setData(Buffer.from(JSON.stringify(terraformMapping(this.#parts.version))));
    return response;
  }

  attach(request: PluginAttach): Empty {
    this.#attachedTo = request.getAddress();
    return new Empty();
  }

  checkConfig(request: messages.CheckRequest): messages.CheckResponse {
    const { values, secrets = [] } = propertiesIn(request.getNews());
    const isDefault = isDefaultName(request.getUrn().split("::").at(-1));
    const problems = settingProblems(values, this.#parts.dependencies.environment).map((problem) =>
      isDefault && problem.property === "neon:apiKey"
        ? { ...problem, reason: `${problem.reason}. ${usedByDefault}` }
        : problem,
    );
    // The state encrypts the key, even if a program declares it in plain text.
    return checkResponse(values, [...secrets, ["apiKey"]], problems);
  }

  /** A change of the settings never replaces the provider, because that would replace all its resources. */
  diffConfig(request: messages.DiffRequest): messages.DiffResponse {
    const [before, after] = [propertiesIn(request.getOlds()), propertiesIn(request.getNews())];
    const { DIFF_SOME, DIFF_NONE } = messages.DiffResponse.DiffChanges;
    const response = new messages.DiffResponse();
    response.setChanges(haveSameSettings(before.values, after.values) ? DIFF_NONE : DIFF_SOME);
    return response;
  }

  configure(request: messages.ConfigureRequest): messages.ConfigureResponse {
    const { values } = propertiesIn(request.getArgs());
    const { dependencies } = this.#parts;
    const process = providerProcess(dependencies, dependencies.engine(this.#attachedTo));
    const name = request.getName();
    process.configure((setting) => settingIn(values, setting), isDefaultName(name) ? undefined : name);
    const cancellation = new AbortController();
    // Each waiting call adds a listener, and Node warns of more than ten.
    setMaxListeners(0, cancellation.signal);
    this.#run = { process, cancellation };
    const response = new messages.ConfigureResponse();
    response.setAcceptsecrets(true);
    response.setSupportspreview(true);
    return response;
  }

  /**
   * Cancels the calls in progress. The engine calls this at the first Ctrl-C; newer engines also call it at the end of
   * each run.
   */
  cancel(): Empty {
    this.#run?.cancellation.abort(new Error("The run was cancelled"));
    return new Empty();
  }

  async invoke(request: messages.InvokeRequest): Promise<messages.InvokeResponse> {
    const token = request.getTok();
    const lookup = this.#parts.lookups[token.slice(token.lastIndexOf(":") + 1)];
    if (lookup === undefined) throw invalid(`There is no function ${token}.`);
    const { values: args } = propertiesIn(request.getArgs());
    const { process, cancellation } = this.#configured;
    const account = process.services.account();
    const problems = "problems" in account ? account.problems : shapeProblems(lookup.args, args);
    const response = new messages.InvokeResponse();
    response.setFailuresList(problems.map(checkFailure));
    if ("problems" in account || problems.length > 0) return response;
    const { client, settings } = account;
    const reading = process.rows.afterLines(() => lookup.invoke({ client, orgId: settings.orgId }, args));
    const answer = await unlessAborted(reading, cancellation.signal);
    response.setReturn(structOf({ values: answer, secrets: lookup.secrets.map((name) => [name]) }));
    return response;
  }

  /** The source of the API key. */
  get keySource(): KeySource {
    return this.#run?.process.keySource() ?? keySource(undefined, undefined);
  }

  get #configured(): Run {
    if (this.#run === undefined) throw invalid("The provider was called before it was configured.");
    return this.#run;
  }
}

const usedByDefault =
  "Resources and functions without the option `provider` use it, also if the program has a provider of its own";

/** Whether the engine created this provider, for resources that name none. Older engines pass no name. */
function isDefaultName(name: string | undefined): boolean {
  return name === undefined || name === "" || /^default(_|$)/.test(name);
}
