import * as pulumi from "@pulumi/pulumi";

import type { SettingName } from "../provider/settings/client-settings";

/** Settings by name. A setting that is not configured is absent. */
export type ConfiguredSettings = Readonly<Partial<Record<SettingName, string>>>;

/** The value of a setting in the stack's configuration. */
export function stackSetting(name: SettingName): string | undefined {
  return new pulumi.Config("neon").get(name);
}
