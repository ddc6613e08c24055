import { z } from "zod";

import { path, type Request } from "../request";

/** How often a backup is taken. */
export const backupFrequencies = ["hourly", "daily", "weekly", "monthly", "yearly"] as const;
export type BackupFrequency = (typeof backupFrequencies)[number];

/** An entry of a schedule, as the platform reports it; frequencies that are not known here are kept. */
export const backup = z.looseObject({
  frequency: z.string(),
  hour: z.number().optional(),
  day: z.number().optional(),
  month: z.number().optional(),
  retention_seconds: z.number().optional(),
});
export type Backup = z.infer<typeof backup>;

/** The members that say when in its period a backup is taken. */
type Moment = "hour" | "day" | "month";
type Planned = { readonly frequency: BackupFrequency } & { readonly [Member in Moment]?: number | undefined };

/** Which of them apply to a frequency. */
export const backupMoments: Readonly<Record<BackupFrequency, readonly Moment[]>> = {
  hourly: [],
  daily: ["hour"],
  weekly: ["hour", "day"],
  monthly: ["hour", "day"],
  yearly: ["hour", "day", "month"],
};

/** The longest a month can be, January first. */
const monthDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** What is wrong with an entry besides the bounds of each member. */
export function backupProblems(entry: Planned): readonly { readonly member: Moment; readonly problem: string }[] {
  const { frequency, day, month } = entry;
  const all: readonly Moment[] = ["hour", "day", "month"];
  const needless = all.filter((member) => entry[member] !== undefined && !backupMoments[frequency].includes(member));
  if (needless.length > 0) {
    return needless.map((member) => ({ member, problem: `means nothing for a backup that is ${frequency}` }));
  }
  const lastDay = frequency === "weekly" ? 7 : frequency === "yearly" ? monthDays[(month ?? 1) - 1] : undefined;
  if (day === undefined || lastDay === undefined || day <= lastDay) return [];
  const why = frequency === "weekly" ? "for a weekly backup, where 1 is Monday" : `in month ${month ?? 1}`;
  return [{ member: "day", problem: `must be at most ${lastDay} ${why}` }];
}

/** Adds what {@link backupProblems} finds to what a schema has found. */
export function refineBackup(entry: Planned, context: z.RefinementCtx): void {
  for (const { member, problem } of backupProblems(entry)) {
    context.addIssue({ code: "custom", path: [member], message: problem });
  }
}

/** The members of an entry as it is asked for. */
export const backupShape = {
  frequency: z.enum(backupFrequencies),
  /** Of the day, in UTC. */
  hour: z.int().min(0).max(23).optional(),
  /** Of the week, beginning with Monday, or of the month. */
  day: z.int().min(1).max(31).optional(),
  month: z.int().min(1).max(12).optional(),
  /** Default: for ever. */
  retention_seconds: z.int().min(3600).optional(),
};

/** The whole schedule of a branch; it is not wrapped. */
export const backupScheduleSet = z.object({ schedule: z.array(z.object(backupShape).superRefine(refineBackup)) });
export type BackupScheduleSet = z.infer<typeof backupScheduleSet>;

const backupSchedule = z.looseObject({ schedule: z.array(backup) });

/** Requests for the backup schedule that every branch has; one that nobody has set is empty. */
export const backupSchedules = {
  get: (projectId: string, branchId: string): Request<z.infer<typeof backupSchedule>> => ({
    method: "GET",
    path: path`/projects/${projectId}/branches/${branchId}/backup_schedule`,
    schema: backupSchedule,
  }),
  /** Replaces the whole schedule; an empty one ends the backups. */
  set: (projectId: string, branchId: string, schedule: BackupScheduleSet["schedule"]): Request<object> => ({
    method: "PUT",
    path: path`/projects/${projectId}/branches/${branchId}/backup_schedule`,
    body: { schedule },
    schema: z.unknown().transform((): object => ({})),
  }),
};
