import * as pulumi from "@pulumi/pulumi";

import { configured } from "./configured-settings";

/**
 * The settings of this package as the stack configures them; each is read when asked for.
 *
 * @example
 * ```ts
 * import * as neon from "neon-pulumi";
 *
 * export const organization = neon.config.orgId;
 * ```
 */
export const config = {
  /** The API key, as a secret. From `neon:apiKey`. */
  get apiKey(): pulumi.Output<string> | undefined {
    return new pulumi.Config("neon").getSecret("apiKey");
  },
  /** Base URL with `/api/v2`. From `neon:apiUrl`. Default: the vendor's public service. */
  get apiUrl(): string | undefined {
    return configured("apiUrl");
  },
  /** Organization of whatever belongs to one and does not name it. From `neon:orgId`. */
  get orgId(): string | undefined {
    return configured("orgId");
  },
  /** How long to wait for the operations of one change, such as `15m`. From `neon:operationTimeout`. Default: `10m`. */
  get operationTimeout(): string | undefined {
    return configured("operationTimeout");
  },
  /** `off`, `info` or `debug`: whether each request is written as one line. From `neon:logLevel`. Default: `off`. */
  get logLevel(): string | undefined {
    return configured("logLevel");
  },
};
