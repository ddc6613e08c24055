import { isApiKey } from "../../api/api-key";
import { isBaseUrl, publicApiUrl } from "../../api/base-url";
import { defaultOperationTimeout, durationForm, milliseconds } from "../../api/core/duration";
import { closestName } from "../closest-name";

/** The settings of a client, and how long to wait. */
export interface Settings {
  readonly apiKey: string;
  /** Base URL with `/api/v2`. */
  readonly apiUrl: string;
  /** The default organization. */
  readonly orgId: string | undefined;
  /** How long to wait for the operations of one change, in milliseconds. */
  readonly operationTimeout: number;
  /** Whether to log each HTTP attempt. */
  readonly logRequests: boolean;
  /** Whether each new resource that does not declare `adopt` behaves as if it declared `adopt: true`. */
  readonly adopt: boolean;
}

/** The configuration key of each setting, in the namespace `neon`, and its environment variable. */
export const settingNames = {
  apiKey: "NEON_API_KEY",
  apiUrl: "NEON_API_HOST",
  orgId: "NEON_ORG_ID",
  operationTimeout: "NEON_OPERATION_TIMEOUT",
  logLevel: "NEON_LOG",
  adopt: "NEON_ADOPT",
} as const;

/** What to do if a key needs the id of an organization, as a sentence. */
export const setOrganization = "Set it with `pulumi config set neon:orgId <id>`, or pass `orgId`.";

/** What each setting is, in every language. */
export const settingDescriptions: Readonly<Record<SettingName, string>> = {
  apiKey: "API key. It is stored as a secret even if you pass a plain string.",
  apiUrl: "Base URL of the API, ending in `/api/v2`. Default: Neon's public API.",
  orgId: "Organization of resources and data sources that do not name one.",
  operationTimeout: "How long one change may take, as a duration such as `90s`, `15m` or `1h30m`. Default: `10m`.",
  adopt:
    "Whether each new resource that does not declare `adopt` behaves as if it declared `adopt: true`, where its kind can: it takes over the object of its name if there is one, unless a tag calls it another resource's. Default: `false`.",
  logLevel: "`info` or `debug` logs one line per HTTP request; `off` logs none. Default: `off`.",
};

/** The configuration key of a setting. */
export type SettingName = keyof typeof settingNames;

/** Names of other providers and tools for these settings. */
const otherNames: Readonly<Record<string, SettingName>> = {
  apiHost: "apiUrl",
  host: "apiUrl",
  baseUrl: "apiUrl",
  token: "apiKey",
  organizationId: "orgId",
  timeout: "operationTimeout",
};

/** The setting that was probably meant by a name that is none. */
export function meantSetting(name: string): string | undefined {
  const closest = closestName(name, [...Object.keys(settingNames), ...Object.keys(otherNames)]);
  return closest === undefined ? undefined : (otherNames[closest] ?? closest);
}

/** An invalid or missing setting, and how to fix it. */
export interface SettingProblem {
  readonly setting: SettingName;
  readonly problem: string;
}

const logLevels: ReadonlyMap<string, boolean> = new Map([
  ["off", false],
  ["info", true],
  ["debug", true],
]);

const switches: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/**
 * Resolves the settings. The configuration takes precedence over environment variables.
 *
 * @param configured returns the configured value of a setting
 */
export function resolveSettings(
  configured: (name: SettingName) => string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly settings: Settings } | { readonly problems: readonly SettingProblem[] } {
  const value = (name: SettingName): string | undefined =>
    configured(name) ?? (environment[settingNames[name]] === "" ? undefined : environment[settingNames[name]]);
  const problems: SettingProblem[] = [];
  const apiKey = value("apiKey") ?? "";
  if (apiKey === "") {
    problems.push({
      setting: "apiKey",
      problem: "is missing: set it with `pulumi config set --secret neon:apiKey`, or set NEON_API_KEY",
    });
  } else if (!isApiKey(apiKey)) {
    problems.push({
      setting: "apiKey",
      problem: "contains whitespace or characters that are not allowed in an API key",
    });
  }
  const apiUrl = value("apiUrl") ?? publicApiUrl;
  if (!isBaseUrl(apiUrl)) {
    problems.push({ setting: "apiUrl", problem: `must be a base URL such as ${publicApiUrl}, including the version` });
  }
  const timeout = value("operationTimeout");
  const operationTimeout = timeout === undefined ? defaultOperationTimeout : milliseconds(timeout);
  if (operationTimeout === undefined) {
    problems.push({ setting: "operationTimeout", problem: durationForm });
  }
  const orgId = value("orgId");
  if (orgId !== undefined && ["", ".", ".."].includes(orgId)) {
    problems.push({ setting: "orgId", problem: "must be the id of an organization; remove the setting to name none" });
  }
  const logRequests = logLevels.get(value("logLevel") ?? "off");
  if (logRequests === undefined) {
    problems.push({ setting: "logLevel", problem: `must be one of ${[...logLevels.keys()].join(", ")}` });
  }
  const adopt = switches.get(value("adopt") ?? "false");
  if (adopt === undefined) problems.push({ setting: "adopt", problem: "must be true or false" });
  if (operationTimeout === undefined || logRequests === undefined || adopt === undefined || problems.length > 0) {
    return { problems };
  }
  return { settings: { apiKey, apiUrl, orgId, operationTimeout, logRequests, adopt } };
}
