import * as pulumi from "@pulumi/pulumi";

import type { PlatformClient } from "../api/client";
import { connect, resolveSettings, type SettingName } from "../api/client-settings";
import { failure } from "./run-error";

/** Settings by name, as they are configured: texts, where they are set at all. */
export type ConfiguredSettings = Readonly<Partial<Record<SettingName, string>>>;

/** What the stack's configuration says for a setting. */
export function configured(name: SettingName): string | undefined {
  return new pulumi.Config("neon").get(name);
}

/** What a lookup works with. */
export interface Lookup {
  readonly client: PlatformClient;
  /** Organization to ask about when the arguments name none. */
  readonly orgId: string | undefined;
}

/** What the program's own lookups work with: these settings, or else those of the stack. */
export function lookupFor(own: ConfiguredSettings | undefined): Lookup {
  const resolved = resolveSettings(own === undefined ? configured : (name) => own[name], process.env);
  if ("problems" in resolved) {
    throw failure(resolved.problems.map(({ setting, problem }) => `neon:${setting} ${problem}.`).join("\n"));
  }
  const { settings } = resolved;
  return { client: connect(settings, (line) => void pulumi.log.info(line)), orgId: settings.orgId };
}
