import * as pulumi from "@pulumi/pulumi";

import { stackSetting } from "./settings";

/**
 * The package's settings in the stack's configuration. Each property is read on access.
 *
 * @example
 * ```ts
 * import * as neon from "neon-pulumi";
 *
 * export const organization = neon.config.orgId;
 * ```
 *
 * @example
 * ```ts
 * import * as neon from "neon-pulumi";
 *
 * // Protected, unless `neon:apiUrl` names another API, such as the local platform.
 * export const shop = new neon.Project("shop", {}, { protect: neon.config.apiUrl === undefined });
 * ```
 */
export const config = {
  /** API key, a secret. Set by `neon:apiKey`. */
  get apiKey(): pulumi.Output<string> | undefined {
    return new pulumi.Config("neon").getSecret("apiKey");
  },
  /** Base URL of the API, ending in `/api/v2`. Set by `neon:apiUrl`. Default: Neon's public API. */
  get apiUrl(): string | undefined {
    return stackSetting("apiUrl");
  },
  /** Organization of resources and data sources that do not name one. Set by `neon:orgId`. */
  get orgId(): string | undefined {
    return stackSetting("orgId");
  },
  /**
   * How long one change may take, as a duration such as `90s`, `15m` or `1h30m`. Set by `neon:operationTimeout`. Default:
   * `10m`.
   */
  get operationTimeout(): string | undefined {
    return stackSetting("operationTimeout");
  },
  /** `info` or `debug` logs one line per HTTP request; `off` logs none. Set by `neon:logLevel`. Default: `off`. */
  get logLevel(): string | undefined {
    return stackSetting("logLevel");
  },
  /**
   * Whether each new resource that does not declare `adopt` behaves as if it declared `adopt: true`. Set by `neon:adopt`.
   * Default: `false`.
   */
  get adopt(): boolean {
    return ["true", "1"].includes(stackSetting("adopt") ?? "");
  },
};
