import { isIP } from "node:net";

import { z } from "zod";

import { camelShape } from "../../../api/core/camel-shape";
import { lazy } from "../../../api/core/lazy";
import { projectCreate } from "../../../api/schemas/project";
import {
  defaultEndpointSettings as wireDefaultEndpointSettings,
  projectSettings,
} from "../../../api/schemas/project-settings";
import { only } from "../../kind/outputs";
import { preloadLibraries } from "../compute/inputs";

const seeCompute = "For the valid values see the property `compute` of a {@link Branch}.";

export const defaultEndpointSettings = lazy(() => {
  const setting = camelShape(wireDefaultEndpointSettings.shape);
  return z
    .strictObject({
      ...setting,
      autoscalingLimitMinCu: setting.autoscalingLimitMinCu.meta({ note: seeCompute }),
      autoscalingLimitMaxCu: setting.autoscalingLimitMaxCu.meta({ note: seeCompute }),
      suspendTimeoutSeconds: setting.suspendTimeoutSeconds.meta({ note: seeCompute }),
    })
    .meta({ title: "DefaultEndpointSettingsArgs", description: "Settings of computes that are created in a project." });
});

const quota = lazy(() =>
  z
    .strictObject(camelShape(projectSettings.shape.quota.unwrap().shape))
    .meta({ title: "QuotaArgs", description: "Usage limits of a project per billing period. 0 or omitted: no limit." }),
);

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
      ...only(list, "protectedBranchesOnly"),
    })
    .meta({ title: "AllowedIpsArgs", description: "IP addresses that can connect to the computes." });
});

const maintenanceWindow = lazy(() =>
  z.strictObject(camelShape(projectSettings.shape.maintenance_window.unwrap().shape)).meta({
    title: "MaintenanceWindowArgs",
    description: "Weekly time window in which Neon can maintain computes. Times are in UTC.",
  }),
);

/** The settings of a project, as a program declares them. */
export const projectSettingInputs = lazy(() =>
  z
    .strictObject({
      ...camelShape(projectSettings.shape),
      quota: quota().optional().describe("Usage limits."),
      allowedIps: allowedIps().optional().describe("IP addresses that can connect to the computes."),
      maintenanceWindow: maintenanceWindow()
        .optional()
        .meta({ description: "Weekly time window for maintenance.", omitted: "chosen by Neon" }),
      preloadLibraries: preloadLibraries().optional().describe("Libraries that Postgres loads at startup."),
    })
    .meta({
      title: "ProjectSettingsArgs",
      description: "Settings of a project. Neon keeps the current values of those that you omit.",
    }),
);

export const firstBranchInputs = lazy(() =>
  z
    .strictObject(camelShape(projectCreate.shape.branch.unwrap().shape))
    .meta({ title: "FirstBranchArgs", description: "The branch, role and database that are created with a project." }),
);
