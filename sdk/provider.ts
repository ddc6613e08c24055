import * as pulumi from "@pulumi/pulumi";

import { type SettingName, settingNames } from "../api/client-settings";
import { configured, type ConfiguredSettings } from "./configured-settings";
import { failure } from "./run-error";

/** The settings of one account. What is left out is taken from the stack's configuration. */
export interface ProviderArgs {
  /**
   * The API key; kept secret whether or not it is given as one. An output that comes to nothing, such as the `key` of a key
   * that was adopted, is an error: the stack's own key never takes its place.
   */
  readonly apiKey?: pulumi.Input<string | undefined>;
  /** Base URL with `/api/v2`. Default: the vendor's public service. */
  readonly apiUrl?: pulumi.Input<string>;
  /** Organization of whatever belongs to one and does not name it. */
  readonly orgId?: pulumi.Input<string>;
  /** How long to wait for the operations of one change, such as `15m`. Default: `10m`. */
  readonly operationTimeout?: pulumi.Input<string>;
  /** `off`, `info` or `debug`: whether each request is written as one line. Default: `off`. */
  readonly logLevel?: pulumi.Input<string>;
}

/** Marks our providers across copies of this package. */
const brand = Symbol.for("neon-pulumi.provider");
const names = Object.keys(settingNames) as SettingName[];

/**
 * An account of its own, for programs that use more than one, or whose key is not in the stack's configuration.
 *
 * @example
 * ```ts
 * const other = new neon.Provider("other", { apiKey: config.requireSecret("otherApiKey") });
 * const project = new neon.Project("shop", {}, { provider: other });
 * const theirs = await neon.getProjects({}, { provider: other });
 * ```
 */
export class Provider extends pulumi.ProviderResource {
  /** The settings in force, for lookups by the program. */
  readonly settings: pulumi.Output<ConfiguredSettings>;

  /**
   * @param name the resource's logical name
   * @param args the account's settings
   * @param opts Pulumi's own options
   */
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    const settings: Partial<Record<SettingName, pulumi.Input<string>>> = {};
    for (const setting of names) {
      // The engine hands an explicit provider its own settings only, so that what is left out has to be copied.
      const value = args[setting] ?? configured(setting);
      if (value !== undefined) settings[setting] = pulumi.output(value).apply((known) => given(known, setting, name));
    }
    if (settings.apiKey !== undefined) settings.apiKey = pulumi.secret(settings.apiKey);
    const inputs = Object.fromEntries(Object.entries(settings).map(([setting, value]) => [`neon:${setting}`, value]));
    super("pulumi-nodejs", name, inputs, pulumi.mergeOptions(opts, { additionalSecretOutputs: ["neon:apiKey"] }));
    Object.defineProperty(this, brand, { value: true });
    this.settings = pulumi.output(settings);
  }

  /** Whether this is such a provider, even one made by another copy of this package. */
  static override isInstance(value: unknown): value is Provider {
    return pulumi.ProviderResource.isInstance(value) && brand in value;
  }
}

/** A setting that was declared is never replaced by another one because it comes to nothing. */
function given(value: string | undefined, setting: SettingName, name: string): string {
  if (value !== undefined) return value;
  throw failure(
    `Provider "${name}": \`${setting}\` was declared, but comes to nothing. The key of a resource that was adopted, for example, cannot be read again.`,
  );
}
