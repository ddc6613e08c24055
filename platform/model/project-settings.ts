import { isIP } from "node:net";
import type { z } from "zod";

import type { projectSettings } from "../../api/schemas/project-settings";
import { badRequest, unprocessable } from "../http-error";
import type { AuditLogLevel, ProjectSettings } from "./rows";

/** Settings as a request has them: any part of them. */
export type AskedSettings = z.infer<typeof projectSettings>;

/** What a project has when its creator says nothing. */
export const defaultSettings: ProjectSettings = {
  allowed_ips: { ips: [], protected_branches_only: false },
  enable_logical_replication: false,
  maintenance_window: { weekdays: [3], start_time: "09:00", end_time: "10:00" },
  block_public_connections: false,
  block_vpc_connections: false,
  audit_log_level: "base",
  hipaa: false,
};

const auditLogLevels: readonly AuditLogLevel[] = ["base", "extended", "full"];

/** Present settings with what a request asks for: what it leaves out stays, lists are replaced whole. */
export function mergedSettings(
  present: ProjectSettings,
  asked: AskedSettings,
  { allowsHipaa }: { readonly allowsHipaa: boolean },
): ProjectSettings {
  for (const entry of asked.allowed_ips?.ips ?? []) checkAllowedIp(entry);
  if (asked.hipaa === true && !present.hipaa && !allowsHipaa) {
    throw unprocessable("HIPAA needs an organization that allows HIPAA projects");
  }
  if (asked.enable_logical_replication === false && present.enable_logical_replication) {
    throw unprocessable("logical replication cannot be disabled once it is enabled");
  }
  const level = asked.audit_log_level ?? present.audit_log_level;
  if (auditLogLevels.indexOf(level) < auditLogLevels.indexOf(present.audit_log_level)) {
    throw unprocessable(`the audit log level cannot go back from ${present.audit_log_level} to ${level}`);
  }
  const members = { ...asked, audit_log_level: level };
  const merged = Object.entries(members).reduce<Record<string, unknown>>(
    (all, [name, value]) => (value === undefined ? all : { ...all, [name]: mergedValue(all[name], value) }),
    { ...present },
  );
  return merged as unknown as ProjectSettings;
}

/** The settings that computes have to be given again when they change. */
const computeSettings = ["audit_log_level", "hipaa", "preload_libraries"] as const;

/** What a change of settings means for the active computes. */
export function computeActionFor(
  before: ProjectSettings,
  after: ProjectSettings,
): "suspend_compute" | "apply_config" | undefined {
  if (before.enable_logical_replication !== after.enable_logical_replication) return "suspend_compute";
  const changed = computeSettings.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return changed ? "apply_config" : undefined;
}

function mergedValue(present: unknown, asked: unknown): unknown {
  return isObject(present) && isObject(asked) ? { ...present, ...asked } : asked;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Single addresses, ranges `a-b` and CIDR blocks. */
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
