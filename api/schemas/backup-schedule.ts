import { z } from "zod";

import { path, request } from "../core/request";
import { emptyResponse } from "./wire";

/** How often a backup is taken. */
const backupFrequencies = ["hourly", "daily", "weekly", "monthly", "yearly"] as const;
type BackupFrequency = (typeof backupFrequencies)[number];

/** An entry of a backup schedule. The frequency may be one that this package does not know. */
export const backup = z.looseObject({
  frequency: z.string(),
  hour: z.number().optional(),
  day: z.number().optional(),
  month: z.number().optional(),
  retention_seconds: z.number().optional(),
});
export type Backup = z.infer<typeof backup>;

/** The members that set when in its period a backup is taken. */
type TimeMember = "hour" | "day" | "month";
type Planned = { readonly frequency: BackupFrequency } & { readonly [Member in TimeMember]?: number | undefined };

/** The members that each frequency allows. */
export const backupTimeMembers: Readonly<Record<BackupFrequency, readonly TimeMember[]>> = {
  hourly: [],
  daily: ["hour"],
  weekly: ["hour", "day"],
  monthly: ["hour", "day"],
  yearly: ["hour", "day", "month"],
};

/** Maximum length of each month, from January. */
const monthDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Validates how the members of an entry fit together. */
export function refineBackup(entry: Planned, context: z.RefinementCtx): void {
  const { frequency, day, month } = entry;
  const issue = (member: TimeMember, message: string): void =>
    context.addIssue({ code: "custom", path: [member], message });
  const all: readonly TimeMember[] = ["hour", "day", "month"];
  const excess = all.filter((member) => entry[member] !== undefined && !backupTimeMembers[frequency].includes(member));
  for (const member of excess) issue(member, `is not allowed for frequency "${frequency}"`);
  const lastDay = frequency === "weekly" ? 7 : frequency === "yearly" ? monthDays[(month ?? 1) - 1] : undefined;
  if (excess.length > 0 || day === undefined || lastDay === undefined || day <= lastDay) return;
  const why = frequency === "weekly" ? "for a weekly backup, where 1 is Monday" : `in month ${month ?? 1}`;
  issue("day", `must be at most ${lastDay} ${why}`);
}

/** The members of an entry in a request. */
export const backupShape = {
  frequency: z.enum(backupFrequencies),
  /** Hour of the day, in UTC. */
  hour: z.int().min(0).max(23).optional(),
  /** Day of the week, where 1 is Monday, or of the month. */
  day: z.int().min(1).max(31).optional(),
  month: z.int().min(1).max(12).optional(),
  /** Default: backups are kept without limit. */
  retention_seconds: z.int().min(3600).optional(),
};

/** The body that replaces a branch's schedule. */
export const backupScheduleSet = z.object({ schedule: z.array(z.object(backupShape).superRefine(refineBackup)) });
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
