import { isIP } from "node:net";
import type { z } from "zod";

import type { projectSettings } from "../../../api/schemas/project-settings";
import { badRequest, unprocessable } from "../../http-error";
import type { Complete } from "../complete";

/** The settings in a request, with any member omitted. */
export type SettingsInput = z.infer<typeof projectSettings>;

/** The settings without a default. */
type UnsetSettings = "quota" | "preload_libraries" | "audit_log_level";

export type ProjectSettings = Complete<Omit<SettingsInput, UnsetSettings>> & Pick<SettingsInput, UnsetSettings>;

/** The settings of a new project. */
export const defaultSettings: ProjectSettings = {
  allowed_ips: { ips: [], protected_branches_only: false },
  enable_logical_replication: false,
  maintenance_window: { weekdays: [3], start_time: "09:00", end_time: "10:00" },
  block_public_connections: false,
  block_vpc_connections: false,
  hipaa: false,
};

/** The levels of the audit log, from the lowest to the highest. The lowest one is the default. */
const auditLogLevels = ["base", "extended", "full"] as const;

/** The level of the audit log of a project. */
export const auditLogLevelOf = ({ audit_log_level: level = auditLogLevels[0] }: ProjectSettings) => level;

/** Applies the settings of a request to the current ones. Omitted members stay as they are; lists are replaced. */
export function mergedSettings(
  current: ProjectSettings,
  input: SettingsInput,
  { allowsHipaa }: { readonly allowsHipaa: boolean },
): ProjectSettings {
  for (const entry of input.allowed_ips?.ips ?? []) checkAllowedIp(entry);
  if (input.hipaa === true && !current.hipaa && !allowsHipaa) {
    throw unprocessable("HIPAA needs an organization that allows HIPAA projects");
  }
  if (input.hipaa === false && current.hipaa) throw badRequest("disabling HIPAA is not allowed");
  if (input.enable_logical_replication === false && current.enable_logical_replication) {
    throw badRequest("logical replication cannot be disabled once it is enabled");
  }
  const before = auditLogLevelOf(current);
  const { audit_log_level: level = before } = input;
  if (auditLogLevels.indexOf(level) < auditLogLevels.indexOf(before)) {
    throw unprocessable(`the audit log level cannot go back from ${before} to ${level}`);
  }
  const merged = Object.entries(input).reduce<Record<string, unknown>>(
    (all, [name, value]) => (value === undefined ? all : { ...all, [name]: mergedValue(all[name], value) }),
    { ...current },
  );
  return merged as unknown as ProjectSettings;
}

/** The settings that active computes must apply. */
const computeSettings = (settings: ProjectSettings): string =>
  JSON.stringify([auditLogLevelOf(settings), settings.hipaa, settings.preload_libraries]);

/** The action that a change of settings needs on active computes. */
export function computeActionFor(
  before: ProjectSettings,
  after: ProjectSettings,
): "suspend_compute" | "apply_config" | undefined {
  if (before.enable_logical_replication !== after.enable_logical_replication) return "suspend_compute";
  return computeSettings(before) === computeSettings(after) ? undefined : "apply_config";
}

function mergedValue(current: unknown, input: unknown): unknown {
  return isObject(current) && isObject(input) ? { ...current, ...input } : input;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Allows single addresses, ranges `a-b` and CIDR blocks. */
function checkAllowedIp(entry: string): void {
  const [first = "", last] = entry.split(/[-/]/, 2);
  const family = isIP(first);
  const bits = family === 6 ? 128 : 32;
  const isRange = entry.includes("-") && isIP(last ?? "") === family;
  const isBlock = entry.includes("/") && /^\d{1,3}$/.test(last ?? "") && Number(last) <= bits;
  if (family === 0 || !(entry === first || isRange || isBlock)) {
    throw badRequest(`allowed_ips: "${entry}" is not an IP address, a range such as 10.0.0.1-10.0.0.9 or a CIDR block`);
  }
}
