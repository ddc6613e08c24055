import { z } from "zod";

import { path, request } from "../core/request";
import { emptyResponse } from "./wire";

/** How often a backup is taken. Neon refuses the `hourly` and `yearly` of older versions of its document. */
const backupFrequencies = ["daily", "weekly", "monthly"] as const;
type BackupFrequency = (typeof backupFrequencies)[number];

/** Maximum and default retention of a scheduled snapshot: 35 days. */
export const maxRetentionSeconds = 35 * 86_400;

/** An entry of a backup schedule. An older entry may have a frequency that is refused now. */
export const backup = z.looseObject({
  frequency: z.string(),
  hour: z.number().optional(),
  day: z.number().optional(),
  month: z.number().optional(),
  retention_seconds: z.number().optional(),
});
export type Backup = z.infer<typeof backup>;

/** The problem with the day of an entry of this frequency, if there is one. */
export function backupDayProblem(frequency: BackupFrequency, day: number | undefined): string | undefined {
  if (frequency === "daily") return day === undefined ? undefined : `is not allowed for frequency "${frequency}"`;
  if (day === undefined) return `is required for frequency "${frequency}"`;
  return frequency === "weekly" && day > 7 ? "must be at most 7 for a weekly backup, where 1 is Monday" : undefined;
}

/** The members of an entry in a request. */
export const backupShape = {
  frequency: z.enum(backupFrequencies).describe("How often Neon takes a snapshot."),
  hour: z.int().min(0).max(23).describe("Hour of the day, 0 to 23."),
  day: z
    .int()
    .min(1)
    .max(31)
    .optional()
    .describe(
      "For `weekly`, the day of the week, 1 (Monday) to 7. For `monthly`, the day of the month, 1 to 31. Required by both, not allowed for `daily`.",
    ),
  retention_seconds: z
    .int()
    .min(3600)
    .max(maxRetentionSeconds)
    .optional()
    .describe("How long Neon keeps each snapshot, in seconds, 3600 to 3024000 (35 days). Default: 35 days."),
};

/** The body that replaces a branch's schedule. */
export const backupScheduleSet = z.object({ schedule: z.array(z.object(backupShape)) });
export type BackupScheduleSet = z.infer<typeof backupScheduleSet>;

const backupSchedule = z.looseObject({ schedule: z.array(backup) });

/** Requests for the backup schedule of a branch. Every branch has one; by default it is empty. */
export const backupSchedules = {
  get: (projectId: string, branchId: string) =>
    request("GET", path`/projects/${projectId}/branches/${branchId}/backup_schedule`, backupSchedule),
  /** Replaces the whole schedule. An empty one disables backups. */
  set: (projectId: string, branchId: string, schedule: BackupScheduleSet["schedule"]) =>
    request("PUT", path`/projects/${projectId}/branches/${branchId}/backup_schedule`, emptyResponse, {
      body: { schedule },
    }),
};
