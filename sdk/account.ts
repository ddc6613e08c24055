import * as pulumi from "@pulumi/pulumi";

import { resolveSettings } from "../api/client-settings";
import type { Account } from "../api/lookups";
import { warnOfConfig } from "./config-warnings";
import { lateApi } from "./late-api";
import { runError } from "./run-error";
import { type ConfiguredSettings, stackSetting } from "./settings";

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
