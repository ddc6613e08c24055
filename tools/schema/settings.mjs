// The configuration of the provider, whose settings are `ProviderArgs` in `sdk/`.
import { exported, memberOf } from "./reflection.mjs";
import { sorted } from "./types.mjs";

/** @typedef {import("./reflection.mjs").Program} Program */
/** @typedef {import("./texts.mjs").Texts} Texts */

/** The setting that is a secret. */
const secret = "apiKey";

/**
 * @param {Readonly<Record<string, string>>} settingNames Names of the settings, with their environment variables.
 * @param {Program} sdk
 * @param {Texts} texts
 */
export function settingsOf(settingNames, sdk, texts) {
  const described = exported(sdk, "ProviderArgs");
  const settings = Object.entries(settingNames).map(([name, variable]) => ({
    name,
    property: { type: "string", ...texts.of(memberOf(described, name)), ...(name === secret ? { secret: true } : {}) },
    defaultInfo: { environment: [variable] },
  }));
  const inputs = sorted(
    Object.fromEntries(settings.map(({ name, property, defaultInfo }) => [name, { ...property, defaultInfo }])),
  );
  const outputs = sorted(Object.fromEntries(settings.map(({ name, property }) => [name, property])));
  return {
    config: { variables: inputs },
    provider: { ...texts.of(exported(sdk, "Provider")), inputProperties: inputs, properties: outputs },
  };
}
