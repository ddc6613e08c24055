import * as pulumi from "@pulumi/pulumi";

import { type SettingName, settingNames } from "../provider/settings/client-settings";
import { door } from "./door";
import { assertInstalled } from "./installation";
import { runError } from "./run-error";
import { type ConfiguredSettings, stackSetting } from "./settings";

/** Settings of a {@link Provider}. A setting that is omitted is taken from the stack's configuration. */
export interface ProviderArgs {
  /**
   * API key. It is stored as a secret even if you pass a plain string. An output without a value is an error: the
   * provider never falls back to the stack's own key. The `key` of an adopted API key is such an output.
   */
  readonly apiKey?: pulumi.Input<string | undefined>;
  /** Base URL of the API, ending in `/api/v2`. Default: the stack's `neon:apiUrl`, or else Neon's public API. */
  readonly apiUrl?: pulumi.Input<string>;
  /** Organization of resources and data sources that do not name one. */
  readonly orgId?: pulumi.Input<string>;
  /** How long one change may take, as a duration such as `90s`, `15m` or `1h30m`. Default: the stack's `neon:operationTimeout`, or else `10m`. */
  readonly operationTimeout?: pulumi.Input<string>;
  /** `info` or `debug` logs one line per HTTP request; `off` logs none. Default: `off`. */
  readonly logLevel?: pulumi.Input<string>;
  /**
   * Whether each new resource that does not declare `adopt` behaves as if it declared `adopt: true`, where its kind can: it takes
   * over the object of its name if there is one, unless a tag calls it another resource's. Default: the stack's `neon:adopt`, or else `false`.
   */
  readonly adopt?: pulumi.Input<boolean>;
}

/** Identifies a provider of this package, whichever copy of the package created it. */
const brand = Symbol.for("neon-pulumi.provider");
/** The member that holds the name of a provider whose key the program declares. */
const nameOfOwnKey = Symbol.for("neon-pulumi.provider.own-key");
/** The member that holds the option `envVarMappings`. */
const mappings = Symbol.for("neon-pulumi.provider.mappings");
const names = Object.keys(settingNames) as SettingName[];
/** The names of the providers of the program. */
const ofProgram: string[] = [];

/**
 * A provider with its own account, for programs that use several accounts or whose API key is not in the stack's
 * configuration.
 *
 * @example
 * ```ts
 * const other = new neon.Provider("other", { apiKey: config.requireSecret("otherApiKey") });
 * const theirs = new neon.Project("theirs", { regionId: "aws-eu-central-1" }, { provider: other });
 * export const projects = neon.getProjectsOutput({}, { provider: other }).apply((all) => all.map(({ name }) => name));
 * ```
 *
 * @example
 * ```ts
 * // The local platform, started with `npx --no -- neon-platform`.
 * const local = new neon.Provider("local", {
 *   apiUrl: config.get("localUrl") ?? "http://127.0.0.1:7000/api/v2",
 *   apiKey: config.requireSecret("localKey"),
 *   operationTimeout: "1m",
 * });
 * ```
 */
export class Provider extends pulumi.ProviderResource {
  /** The settings in effect. Data sources use them. */
  readonly settings: pulumi.Output<ConfiguredSettings>;

  /**
   * @param name Logical name of the provider.
   * @param args Settings of the account.
   * @param opts Pulumi's resource options.
   */
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    assertInstalled(`Provider "${name}"`);
    const settings: Partial<Record<SettingName, pulumi.Input<string>>> = {};
    for (const setting of names) {
      // An explicit provider replaces the stack's configuration instead of extending it, so omitted settings are copied.
      const value: pulumi.Input<string | boolean | undefined> = args[setting] ?? stackSetting(setting);
      if (value !== undefined)
        settings[setting] = pulumi.output(value).apply((known) => String(present(known, setting, name)));
    }
    if (settings.apiKey !== undefined) settings.apiKey = pulumi.secret(settings.apiKey);
    const isPlugin = door() === "plugin";
    // A dynamic provider is configured like a stack.
    const prefix = isPlugin ? "" : "neon:";
    const inputs = Object.fromEntries(Object.entries(settings).map(([setting, value]) => [prefix + setting, value]));
    const secret = { additionalSecretOutputs: [`${prefix}apiKey`] };
    super(isPlugin ? "neon" : "pulumi-nodejs", name, inputs, pulumi.mergeOptions(opts, secret));
    Object.defineProperty(this, brand, { value: true });
    if (args.apiKey !== undefined) Object.defineProperty(this, nameOfOwnKey, { value: name });
    Object.defineProperty(this, mappings, { value: opts?.envVarMappings });
    ofProgram.push(name);
    this.settings = pulumi.output(settings);
  }

  /** Returns whether a value is a provider of this package, also one created by another copy of the package. */
  static override isInstance(value: unknown): value is Provider {
    return pulumi.ProviderResource.isInstance(value) && brand in value;
  }
}

/** Fails if a declared setting has no value, because the stack's or the environment's setting must not replace it. */
function present<Value>(value: Value | undefined, setting: SettingName, name: string): Value {
  if (value !== undefined) return value;
  throw runError(
    `Provider "${name}": \`${setting}\` was declared but has no value. For example, the key of an adopted API key cannot be read.`,
  );
}

/** The name of a provider with a declared `apiKey`. Undefined if the key comes from the stack or the environment. */
export function ownKeyOf(provider: Provider | undefined): string | undefined {
  return (provider as { readonly [nameOfOwnKey]?: string } | undefined)?.[nameOfOwnKey];
}

/** The environment of a provider's process: variables that are set also get their names from `envVarMappings`. */
export function environmentOf(provider: Provider | undefined): NodeJS.ProcessEnv {
  const { [mappings]: mapped = {} } = (provider ?? {}) as { readonly [mappings]?: Readonly<Record<string, string>> };
  const set = Object.entries(mapped).filter(([from]) => process.env[from] !== undefined);
  return { ...process.env, ...Object.fromEntries(set.map(([from, to]) => [to, process.env[from]])) };
}

/**
 * The program's providers, for the error of a resource or data source that has no provider and finds no key. Undefined
 * if there is a key, or no provider.
 */
export function unusedProviders(provider: Provider | undefined): readonly string[] | undefined {
  const hasKey = provider !== undefined || (stackSetting("apiKey") ?? process.env[settingNames.apiKey] ?? "") !== "";
  return hasKey || ofProgram.length === 0 ? undefined : ofProgram;
}

/** The provider of a resource or a data source: its own, or that of its parent. */
export function providerFor(
  type: string,
  { provider, parent }: { readonly provider?: unknown; readonly parent?: pulumi.Resource | undefined },
): Provider | undefined {
  const one = provider ?? parent?.getProvider(type);
  return Provider.isInstance(one) ? one : undefined;
}
