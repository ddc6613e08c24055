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
  use_defaults: z.boolean().optional(),
  enabled_libraries: z.array(z.string()).optional(),
});

export const endpointSettings = z.object({
  pg_settings: textMap.optional(),
  pgbouncer_settings: textMap.optional(),
  preload_libraries: preloadLibraryNames.optional(),
});

export const defaultEndpointSettings = z.object({
  pg_settings: textMap.optional(),
  pgbouncer_settings: textMap.optional(),
  autoscaling_limit_min_cu: computeUnits.optional(),
  autoscaling_limit_max_cu: computeUnits.optional(),
  suspend_timeout_seconds: suspendTimeoutSeconds.optional(),
});

const timeOfDay = z.string().regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'must be a time of day in UTC such as "09:30"');
const amount = z.int().min(0);

export const projectSettings = z.object({
  quota: z
    .object({
      active_time_seconds: amount.optional(),
      compute_time_seconds: amount.optional(),
      written_data_bytes: amount.optional(),
      data_transfer_bytes: amount.optional(),
      logical_size_bytes: amount.optional(),
    })
    .optional(),
  allowed_ips: z
    .object({ ips: z.array(z.string()).optional(), protected_branches_only: z.boolean().optional() })
    .optional(),
  enable_logical_replication: z.boolean().optional(),
  maintenance_window: z
    .object({ weekdays: z.array(z.int().min(1).max(7)), start_time: timeOfDay, end_time: timeOfDay })
    .optional(),
  block_public_connections: z.boolean().optional(),
  block_vpc_connections: z.boolean().optional(),
  audit_log_level: z.enum(["base", "extended", "full"]).optional(),
  hipaa: z.boolean().optional(),
  preload_libraries: preloadLibraryNames.optional(),
});
