import * as pulumi from "@pulumi/pulumi";

import type { PlatformClient } from "../api/client";
import { connect, resolveSettings, type SettingName } from "../api/settings";

/** Settings by name, as they are configured: texts, where they are set at all. */
export type ConfiguredSettings = Readonly<Partial<Record<SettingName, string>>>;

/** What the stack's configuration says for a setting. */
export function configured(name: SettingName): string | undefined {
  return new pulumi.Config("neon").get(name);
}

/** The client for lookups made by the program itself. */
export function clientFor(own: ConfiguredSettings | undefined): PlatformClient {
  const resolved = resolveSettings(own === undefined ? configured : (name) => own[name], process.env);
  if ("problems" in resolved) {
    throw new pulumi.RunError(
      resolved.problems.map(({ setting, problem }) => `neon:${setting} ${problem}.`).join("\n"),
    );
  }
  return connect(resolved.settings, (line) => void pulumi.log.info(line));
}

/** The organization that lookups are about unless they say so themselves. */
export function orgIdFor(own: ConfiguredSettings | undefined): string | undefined {
  return (own === undefined ? configured("orgId") : own.orgId) ?? (process.env["NEON_ORG_ID"] || undefined);
}
