import * as pulumi from "@pulumi/pulumi";

import type { Account } from "../api/lookups";
import { resolveSettings, type SettingName, settingNames } from "../provider/settings/client-settings";
import { warnOfConfig } from "./config-warnings";
import { currentHost } from "./host";
import { lateApi } from "./late-api";
import { runError } from "./run-error";
import { type ConfiguredSettings, stackSetting } from "./settings";

/**
 * The account for these settings. Default: the settings of the stack's configuration.
 *
 * @param environment the environment variables that the provider would use
 */
export function accountFor(settings: ConfiguredSettings | undefined, environment: NodeJS.ProcessEnv): Account {
  warnOfConfig();
  const configured = settings === undefined ? stackSetting : (name: SettingName) => settings[name];
  if (currentHost() === "inline") assertConfigured(configured, environment);
  const resolved = resolveSettings(configured, environment);
  if ("problems" in resolved) {
    throw runError(resolved.problems.map(({ setting, problem }) => `neon:${setting} ${problem}.`).join("\n"));
  }
  const { settings: found } = resolved;
  return { client: lateApi.connect(found, (line) => void pulumi.log.info(line)), orgId: found.orgId };
}

/**
 * Fails if a data source of an inline program would take its account from this process's environment. The resources use
 * the workspace's `envVars`, which this process cannot see.
 */
function assertConfigured(configured: (name: SettingName) => string | undefined, environment: NodeJS.ProcessEnv): void {
  const isTaken = (name: SettingName): boolean => name === "apiKey" || (environment[settingNames[name]] ?? "") !== "";
  const taken = (["apiKey", "apiUrl", "orgId"] as const).filter(
    (name) => configured(name) === undefined && isTaken(name),
  );
  if (taken.length === 0) return;
  const [keys, variables] = [taken.map((name) => `neon:${name}`), taken.map((name) => settingNames[name])];
  throw runError(
    `Data sources of an inline program do not read ${variables.join(", ")}: they run outside of the workspace, whose \`envVars\` the resources use. Set ${keys.join(", ")} in the stack's configuration, for example with \`stack.setConfig\`, or declare a \`Provider\`.`,
  );
}
