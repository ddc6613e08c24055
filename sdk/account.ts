import * as pulumi from "@pulumi/pulumi";

import { resolveSettings, type SettingName } from "../api/client-settings";
import type { Account } from "../api/lookups";
import { warnOfConfig } from "./config-warnings";
import { lateApi } from "./late-api";
import { runError } from "./run-error";

/** Settings by name. A setting that is not configured is absent. */
export type ConfiguredSettings = Readonly<Partial<Record<SettingName, string>>>;

/** The value of a setting in the stack's configuration. */
export function stackSetting(name: SettingName): string | undefined {
  return new pulumi.Config("neon").get(name);
}

/** The account of these settings, by default of the stack's configuration. */
export function accountFor(settings: ConfiguredSettings | undefined): Account {
  warnOfConfig();
  const resolved = resolveSettings(settings === undefined ? stackSetting : (name) => settings[name], process.env);
  if ("problems" in resolved) {
    throw runError(resolved.problems.map(({ setting, problem }) => `neon:${setting} ${problem}.`).join("\n"));
  }
  const { settings: found } = resolved;
  return { client: lateApi.connect(found, (line) => void pulumi.log.info(line)), orgId: found.orgId };
}
