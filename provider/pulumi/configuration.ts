import { isDeepStrictEqual } from "node:util";

import type { Problem } from "../call/services";
import {
  meantSetting,
  resolveSettings,
  type SettingName,
  settingNames,
  type Settings,
} from "../settings/client-settings";
import { holdsUnknown, type Values } from "../values";

const names = Object.keys(settingNames) as SettingName[];

/** The inputs that the engine adds to the settings of a provider. */
const ofEngine = ["version", "pluginDownloadURL", "__internal"];

/** A setting of a provider: `apiKey` in the inputs of a plugin, `neon:apiKey` in those of a dynamic provider. */
export function settingIn(inputs: Values, name: SettingName): string | undefined {
  const value = inputs[name] ?? inputs[`neon:${name}`];
  return typeof value === "string" || typeof value === "boolean" ? String(value) : undefined;
}

/** The settings of a provider, or their problems, by configuration key. */
export type ResolvedSettings = { readonly settings: Settings } | { readonly problems: readonly Problem[] };

export function resolvedSettings(
  read: (name: SettingName) => string | undefined,
  environment: NodeJS.ProcessEnv,
): ResolvedSettings {
  const resolved = resolveSettings(read, environment);
  if (!("problems" in resolved)) return resolved;
  return {
    problems: resolved.problems.map(({ setting, problem }) => ({ property: `neon:${setting}`, reason: problem })),
  };
}

/** The problems of a provider's settings. They are not validated while some are unknown. */
export function settingProblems(inputs: Values, environment: NodeJS.ProcessEnv): readonly Problem[] {
  const unknown = Object.keys(inputs)
    .filter((name) => ![...names, ...ofEngine].includes(name))
    .map((name) => ({ property: `neon:${name}`, reason: noSuchSetting(name) }));
  if (unknown.length > 0 || holdsUnknown(inputs)) return unknown;
  const resolved = resolvedSettings((name) => settingIn(inputs, name), environment);
  return "problems" in resolved ? resolved.problems : [];
}

function noSuchSetting(name: string): string {
  const meant = meantSetting(name);
  const hint = meant === undefined ? `there are ${names.join(", ")}` : `did you mean ${meant}?`;
  return `is no setting; ${hint}`;
}

export function haveSameSettings(one: Values, other: Values): boolean {
  return names.every((name) => isDeepStrictEqual(settingIn(one, name), settingIn(other, name)));
}
