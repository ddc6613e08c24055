import { z } from "zod";

import { textMap } from "./wire";

/** Compute sizes in CU: 0.25, 0.5, 1 to 16 in steps of 1, 18 to 56 in steps of 2. */
const computeSizes: readonly number[] = [
  0.25,
  0.5,
  ...Array.from({ length: 16 }, (_, index) => index + 1),
  ...Array.from({ length: 20 }, (_, index) => 18 + 2 * index),
];
const isComputeSize = (size: number): boolean => computeSizes.includes(size);
const largestAutoscalingSize = 16;
const widestAutoscalingRange = 8;

export const computeUnits = z
  .number()
  .refine(isComputeSize, "must be a compute size in CU: 0.25, 0.5, 1 to 16 in steps of 1, or 18 to 56 in steps of 2");

export const suspendTimeoutSeconds = z
  .int()
  .refine(
    (seconds) => seconds === -1 || seconds === 0 || (seconds >= 60 && seconds <= 604_800),
    "must be -1 (never suspend), 0 (Neon's default) or 60 to 604800 seconds",
  );

/** Validates a range of compute sizes: the platform limits how minimum and maximum may be combined. */
export function autoscalingProblem(minCu: number | undefined, maxCu: number | undefined): string | undefined {
  if (minCu === undefined || maxCu === undefined || minCu === maxCu) return undefined;
  if (!isComputeSize(minCu) || !isComputeSize(maxCu)) return undefined;
  if (minCu > maxCu) return `the minimum of ${minCu} CU is above the maximum of ${maxCu} CU`;
  if (maxCu > largestAutoscalingSize) {
    return `autoscaling is limited to ${largestAutoscalingSize} CU: for a larger compute, set minimum and maximum to the same size`;
  }
  if (maxCu - minCu > widestAutoscalingRange) {
    return `the maximum must be at most ${widestAutoscalingRange} CU above the minimum, but it is ${maxCu - minCu} CU above it`;
  }
  return undefined;
}

export const preloadLibraryNames = z.object({
  use_defaults: z.boolean().optional().describe("Whether Neon's default libraries are loaded."),
  enabled_libraries: z.array(z.string()).optional().describe("Names of the libraries that are loaded, in any order."),
});

/** The size of computes. The branch's compute describes the valid values. */
export const computeSize = {
  autoscaling_limit_min_cu: computeUnits.optional().describe("Minimum size for autoscaling, in compute units (CU)."),
  autoscaling_limit_max_cu: computeUnits.optional().describe("Maximum size for autoscaling, in compute units (CU)."),
  suspend_timeout_seconds: suspendTimeoutSeconds
    .optional()
    .describe("Seconds of inactivity after which Neon suspends a compute. -1: never. 0: Neon's default."),
};

const postgresSettings = {
  pg_settings: textMap.optional().describe("Postgres settings: names and values as strings."),
  pgbouncer_settings: textMap.optional().meta({
    description: "PgBouncer settings: names and values as strings.",
    deprecationMessage: "Neon has announced the removal of this setting.",
  }),
};

export const endpointSettings = z.object({
  ...postgresSettings,
  preload_libraries: preloadLibraryNames.optional().describe("Libraries that Postgres loads at startup."),
});

export const defaultEndpointSettings = z.object({ ...postgresSettings, ...computeSize });

const timeOfDay = z.string().regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'must be a time of day in UTC such as "09:30"');
const amount = z.int().min(0);

export const projectSettings = z.object({
  quota: z
    .object({
      active_time_seconds: amount.optional().describe("Time during which any compute is active, in seconds."),
      compute_time_seconds: amount.optional().describe("Compute time, in seconds."),
      written_data_bytes: amount.optional().describe("Data written, in bytes."),
      data_transfer_bytes: amount.optional().describe("Data transferred, in bytes."),
      logical_size_bytes: amount
        .optional()
        .describe("Logical size of a branch, in bytes. A branch that reaches it rejects writes."),
    })
    .optional(),
  allowed_ips: z
    .object({
      ips: z.array(z.string()).optional(),
      protected_branches_only: z
        .boolean()
        .optional()
        .meta({ description: "Whether the list applies to protected branches only.", default: false }),
    })
    .optional(),
  enable_logical_replication: z.boolean().optional().meta({
    description:
      "Whether logical replication is enabled. Enabling it suspends active computes. It cannot be disabled again.",
    default: false,
  }),
  maintenance_window: z
    .object({
      weekdays: z.array(z.int().min(1).max(7)).describe("Days of the week, 1 (Monday) to 7, in any order."),
      start_time: timeOfDay.describe("Start time, such as `09:00`."),
      end_time: timeOfDay.describe("End time, such as `10:00`."),
    })
    .optional(),
  block_public_connections: z.boolean().optional().meta({
    description: "Whether connections from the internet are rejected, regardless of `allowedIps`.",
    default: false,
  }),
  block_vpc_connections: z
    .boolean()
    .optional()
    .meta({ description: "Whether connections through VPC endpoints are rejected.", default: false }),
  audit_log_level: z.enum(["base", "extended", "full"]).optional().meta({
    description: "Level of audit logging. It can only be raised, from `base` to `extended` to `full`.",
    default: "base",
  }),
  hipaa: z.boolean().optional().meta({
    description: "Whether HIPAA compliance is enabled. The organization must allow it. It cannot be disabled again.",
    default: false,
  }),
  preload_libraries: preloadLibraryNames.optional(),
});
