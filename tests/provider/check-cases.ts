import type { KindName } from "../../provider/frozen-entry";
import { inProject as project, onBranch as branch, nightly } from "../support/invalid-inputs";
import { unknownText, type Values } from "../support/provider-server";

/** Nothing listens there, and nothing needs to: judging inputs sends nothing. */
export const nowhere = { "neon:apiKey": "napi_some_key", "neon:apiUrl": "http://127.0.0.1:9/api/v2" };

/** Values of which some are not known yet, at every level. */
export const unknowns: readonly { readonly kind: KindName; readonly args: Values }[] = [
  { kind: "Branch", args: { projectId: unknownText } },
  { kind: "Branch", args: { ...project, name: unknownText, parentLsn: unknownText, expiresAt: unknownText } },
  { kind: "Branch", args: { ...project, protected: unknownText, initSource: unknownText, adopt: unknownText } },
  { kind: "Branch", args: { ...project, annotations: unknownText } },
  { kind: "Branch", args: { ...project, annotations: { team: unknownText } } },
  { kind: "Branch", args: { ...project, compute: unknownText } },
  { kind: "Branch", args: { ...project, compute: { autoscalingLimitMinCu: unknownText, autoscalingLimitMaxCu: 1 } } },
  { kind: "Branch", args: { ...project, compute: { settings: unknownText } } },
  { kind: "Branch", args: { ...project, compute: { settings: { pgSettings: { work_mem: unknownText } } } } },
  {
    kind: "Branch",
    args: { ...project, compute: { settings: { preloadLibraries: { enabledLibraries: ["a", unknownText] } } } },
  },
  { kind: "Project", args: { name: unknownText, regionId: unknownText, pgVersion: unknownText, orgId: unknownText } },
  { kind: "Project", args: { autoscalingLimitMinCu: 8, autoscalingLimitMaxCu: unknownText } },
  { kind: "Project", args: { settings: unknownText, defaultEndpointSettings: unknownText, branch: unknownText } },
  { kind: "Project", args: { settings: { allowedIps: { ips: [unknownText, "10.0.0.1"] }, quota: unknownText } } },
  { kind: "Project", args: { settings: { allowedIps: { ips: unknownText } } } },
  {
    kind: "Project",
    args: { settings: { maintenanceWindow: { weekdays: [unknownText], startTime: unknownText, endTime: "10:00" } } },
  },
  { kind: "Project", args: { branch: { annotations: { a: unknownText } } } },
  {
    kind: "Endpoint",
    args: {
      ...branch,
      branchId: unknownText,
      type: "read_write",
      autoscalingLimitMinCu: 4,
      autoscalingLimitMaxCu: unknownText,
    },
  },
  { kind: "Role", args: { ...project, branchId: unknownText, name: unknownText } },
  { kind: "Database", args: { ...branch, ownerName: unknownText, name: unknownText } },
  { kind: "Snapshot", args: { ...branch, lsn: unknownText, expiresAt: unknownText } },
  { kind: "BackupSchedule", args: { ...branch, schedule: unknownText } },
  { kind: "BackupSchedule", args: { ...branch, schedule: [unknownText] } },
  { kind: "BackupSchedule", args: { ...branch, schedule: [{ ...nightly, hour: unknownText }] } },
];
