import { isIP } from "node:net";

import { z } from "zod";

import { camelShape } from "../../../api/core/camel-shape";
import { lazy } from "../../../api/core/lazy";
import { projectCreate } from "../../../api/schemas/project";
import {
  defaultEndpointSettings as wireDefaultEndpointSettings,
  projectSettings,
} from "../../../api/schemas/project-settings";
import { preloadLibraries } from "../compute/inputs";

export const defaultEndpointSettings = lazy(() => {
  const setting = camelShape(wireDefaultEndpointSettings.shape);
  return z
    .strictObject({
      pgSettings: setting.pgSettings.describe("Postgres settings: names and values as strings."),
      pgbouncerSettings: setting.pgbouncerSettings.meta({
        description: "PgBouncer settings: names and values as strings.",
        deprecationMessage: "Neon has announced the removal of this setting.",
      }),
      autoscalingLimitMinCu: setting.autoscalingLimitMinCu.describe(
        "Minimum size for autoscaling, in compute units (CU). For the valid sizes see the property `compute` of a {@link Branch}.",
      ),
      autoscalingLimitMaxCu: setting.autoscalingLimitMaxCu.describe(
        "Maximum size for autoscaling, in compute units (CU). For the valid sizes see the property `compute` of a {@link Branch}.",
      ),
      suspendTimeoutSeconds: setting.suspendTimeoutSeconds.describe(
        "Seconds of inactivity after which Neon suspends a compute. For the valid values see the property `compute` of a {@link Branch}.",
      ),
    })
    .meta({ title: "DefaultEndpointSettingsArgs", description: "Settings of computes that are created in a project." });
});

const quota = lazy(() => {
  const limit = camelShape(projectSettings.shape.quota.unwrap().shape);
  return z
    .strictObject({
      activeTimeSeconds: limit.activeTimeSeconds.describe("Time during which any compute is active, in seconds."),
      computeTimeSeconds: limit.computeTimeSeconds.describe("Compute time, in seconds."),
      writtenDataBytes: limit.writtenDataBytes.describe("Data written, in bytes."),
      dataTransferBytes: limit.dataTransferBytes.describe("Data transferred, in bytes."),
      logicalSizeBytes: limit.logicalSizeBytes.describe(
        "Logical size of a branch, in bytes. A branch that reaches it rejects writes.",
      ),
    })
    .meta({ title: "QuotaArgs", description: "Usage limits of a project per billing period. 0 or omitted: no limit." });
});

/** Whether a text is an address, a range of addresses or a CIDR block. */
function isAllowed(entry: string): boolean {
  const [first = "", last = ""] = entry.split(/[-/]/, 2);
  const family = isIP(first);
  if (family === 0) return false;
  const isRange = entry === `${first}-${last}` && isIP(last) === family;
  const isBlock = entry === `${first}/${last}` && /^\d{1,3}$/.test(last) && Number(last) <= (family === 6 ? 128 : 32);
  return entry === first || isRange || isBlock;
}

const allowedIps = lazy(() => {
  const list = camelShape(projectSettings.shape.allowed_ips.unwrap().shape);
  return z
    .strictObject({
      ips: z
        .array(z.string().refine(isAllowed, "must be an IP address, a range `a-b` or a CIDR block"))
        .optional()
        .meta({
          description: "Single addresses, ranges (`a-b`) or CIDR blocks, in any order. Empty: all addresses.",
          default: [],
        }),
      protectedBranchesOnly: list.protectedBranchesOnly.meta({
        description: "Whether the list applies to protected branches only.",
        default: false,
      }),
    })
    .meta({ title: "AllowedIpsArgs", description: "IP addresses that can connect to the computes." });
});

const hours = camelShape(projectSettings.shape.maintenance_window.unwrap().shape);
const maintenanceWindow = lazy(() =>
  z
    .strictObject({
      weekdays: hours.weekdays.describe("Days of the week, 1 (Monday) to 7, in any order."),
      startTime: hours.startTime.describe("Start time, such as `09:00`."),
      endTime: hours.endTime.describe("End time, such as `10:00`."),
    })
    .meta({
      title: "MaintenanceWindowArgs",
      description: "Weekly time window in which Neon can maintain computes. Times are in UTC.",
    }),
);

/** The settings of a project, as a program declares them. */
export const projectSettingInputs = lazy(() => {
  const wire = camelShape(projectSettings.shape);
  return z
    .strictObject({
      quota: quota().optional().describe("Usage limits. Updated in place."),
      allowedIps: allowedIps().optional().describe("IP addresses that can connect to the computes. Updated in place."),
      enableLogicalReplication: wire.enableLogicalReplication.meta({
        description:
          "Whether logical replication is enabled. Enabling it suspends active computes. It cannot be disabled again. Updated in place.",
        default: false,
      }),
      maintenanceWindow: maintenanceWindow()
        .optional()
        .describe("Weekly time window for maintenance. Default: chosen by Neon. Updated in place."),
      blockPublicConnections: wire.blockPublicConnections.meta({
        description:
          "Whether connections from the internet are rejected, regardless of `allowedIps`. Updated in place.",
        default: false,
      }),
      blockVpcConnections: wire.blockVpcConnections.meta({
        description: "Whether connections through VPC endpoints are rejected. Updated in place.",
        default: false,
      }),
      auditLogLevel: wire.auditLogLevel.meta({
        description:
          "Level of audit logging. It can only be raised, from `base` to `extended` to `full`. Updated in place.",
        default: "base",
      }),
      hipaa: wire.hipaa.meta({
        description:
          "Whether HIPAA compliance is enabled. The organization must allow it. It cannot be disabled again. Updated in place.",
        default: false,
      }),
      preloadLibraries: preloadLibraries()
        .optional()
        .describe("Libraries that Postgres loads at startup. Updated in place."),
    })
    .meta({
      title: "ProjectSettingsArgs",
      description: "Settings of a project. Neon keeps the current values of those that you omit.",
    });
});

export const firstBranchInputs = lazy(() => {
  const first = camelShape(projectCreate.shape.branch.unwrap().shape);
  return z
    .strictObject({
      name: first.name.describe("Name of the branch. Default: chosen by Neon, such as `main`."),
      roleName: first.roleName.describe(
        "Name of the role that owns the database. Default: the database's name with the suffix `_owner`.",
      ),
      databaseName: first.databaseName.meta({ description: "Name of the database.", default: "neondb" }),
      annotations: first.annotations.describe("Annotations of the branch: names and values as strings."),
    })
    .meta({ title: "FirstBranchArgs", description: "The branch, role and database that are created with a project." });
});
