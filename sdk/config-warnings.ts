import * as pulumi from "@pulumi/pulumi";

import { meantSetting, settingNames } from "../provider/settings/client-settings";

const namespace = "neon:";
let isChecked = false;

/**
 * Warns once about configuration that Pulumi accepts but that is probably a mistake: a setting with an unknown name,
 * and an API key in plain text.
 */
export function warnOfConfig(): void {
  if (isChecked) return;
  isChecked = true;
  const known = Object.keys(settingNames);
  for (const key of Object.keys(pulumi.runtime.allConfig())) {
    const name = key.startsWith(namespace) ? key.slice(namespace.length) : undefined;
    if (name === undefined || known.includes(name)) continue;
    const meant = meantSetting(name);
    const advice = meant === undefined ? `The settings are ${known.join(", ")}.` : `Did you mean ${namespace}${meant}?`;
    void pulumi.log.warn(`The setting ${key} does not exist and is ignored. ${advice}`);
  }
  if (isApiKeyPlain()) {
    void pulumi.log.warn(
      "The setting neon:apiKey is stored in plain text. Run `pulumi config set --secret neon:apiKey` to encrypt it.",
    );
  }
}

/** Whether the stack's configuration has an API key that is not a secret, according to the engine. */
function isApiKeyPlain(): boolean {
  const key = `${namespace}apiKey`;
  const { PULUMI_CONFIG_SECRET_KEYS: listed } = process.env;
  if (listed === undefined || !(key in pulumi.runtime.allConfig())) return false;
  try {
    return !(JSON.parse(listed) as readonly string[]).includes(key);
  } catch {
    return false;
  }
}
