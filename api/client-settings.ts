import { type HttpAttempt, isBaseUrl, PlatformClient, publicApiUrl } from "./client";
import { milliseconds } from "./duration";
import { defaultOperationTimeout } from "./operations/waiter";

/** The settings by which a program reaches the platform. */
export interface Settings {
  readonly apiKey: string;
  /** Base URL with `/api/v2`. */
  readonly apiUrl: string;
  /** Organization of whatever belongs to one and does not name it. */
  readonly orgId: string | undefined;
  /** How long to wait for the operations of one change, in milliseconds. */
  readonly operationTimeout: number;
  /** Whether each request is written as one line. */
  readonly logRequests: boolean;
}

/** The names of the settings in a stack's configuration, below the namespace `neon`, and in the environment. */
export const settingNames = {
  apiKey: "NEON_API_KEY",
  apiUrl: "NEON_API_HOST",
  orgId: "NEON_ORG_ID",
  operationTimeout: "NEON_OPERATION_TIMEOUT",
  logLevel: "NEON_LOG",
} as const;
/** The name of a setting. */
export type SettingName = keyof typeof settingNames;

/** A setting that cannot be used, and what to do about it. */
export interface SettingProblem {
  readonly setting: SettingName;
  readonly problem: string;
}

const logLevels: ReadonlyMap<string, boolean> = new Map([
  ["off", false],
  ["info", true],
  ["debug", true],
]);

/**
 * The settings as configured, each from the first place that has it: the configuration, then the environment.
 *
 * @param configured the configuration's value for a setting
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
  } else if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    problems.push({ setting: "apiKey", problem: "contains white space or characters that no API key has" });
  }
  const apiUrl = value("apiUrl") ?? publicApiUrl;
  if (!isBaseUrl(apiUrl)) {
    problems.push({ setting: "apiUrl", problem: `must be a base URL such as ${publicApiUrl}, with the version` });
  }
  const timeout = value("operationTimeout");
  const operationTimeout = timeout === undefined ? defaultOperationTimeout : milliseconds(timeout);
  if (operationTimeout === undefined) {
    problems.push({ setting: "operationTimeout", problem: 'must be a duration such as "90s", "10m" or "1h30m"' });
  }
  const logRequests = logLevels.get(value("logLevel") ?? "off");
  if (logRequests === undefined) {
    problems.push({ setting: "logLevel", problem: `must be one of ${[...logLevels.keys()].join(", ")}` });
  }
  if (problems.length > 0 || operationTimeout === undefined || logRequests === undefined) return { problems };
  return { settings: { apiKey, apiUrl, orgId: value("orgId"), operationTimeout, logRequests } };
}

const clients = new Map<string, PlatformClient>();

/** The process's client for these settings: one per account, so that all its callers share turns and rate budget. */
export function connect(settings: Settings, log: (line: string) => void): PlatformClient {
  const key = JSON.stringify([settings.apiUrl, settings.apiKey]);
  let client = clients.get(key);
  if (client === undefined) {
    client = new PlatformClient({
      apiKey: settings.apiKey,
      apiUrl: settings.apiUrl,
      ...(settings.logRequests ? { onAttempt: (attempt) => log(attemptLine(attempt)) } : {}),
    });
    clients.set(key, client);
  }
  return client;
}

/** One line about one attempt at a request. There is no secret in it: the key and the bodies are never told. */
export function attemptLine({ method, path, status, fault, milliseconds: time, requestId }: HttpAttempt): string {
  return `neon: ${method} ${path} ${status ?? `no answer (${fault ?? "unknown"})`} ${time} ms ${requestId}`;
}
