import { backupTimeMembers, type BackupScheduleSet } from "../../api/schemas/backup-schedule";
import type { ControlPlane } from "./control-plane";
import type { BackupRow, BackupScheduleRow, BranchRow } from "./rows";
import { requireRoot, takeScheduledSnapshot } from "./snapshot";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** When a branch is backed up; never, unless somebody has set it. */
export function scheduleOf({ tables }: ControlPlane, branch: BranchRow): readonly BackupRow[] {
  return tables.backupSchedules.get({ branch_id: branch.id })?.schedule ?? [];
}

/** Replaces the schedule of a branch. */
export function setSchedule({ tables, clock }: ControlPlane, branch: BranchRow, asked: BackupScheduleSet): void {
  requireRoot(branch);
  if (asked.schedule.length === 0) {
    tables.backupSchedules.remove({ branch_id: branch.id });
    return;
  }
  const schedule = asked.schedule.map(completed);
  tables.backupSchedules.put({
    project_id: branch.project_id,
    branch_id: branch.id,
    schedule,
    ...plannedFrom(schedule, clock.now()),
  });
}

/** Takes the snapshot that is due; several entries that are due at once make one, kept for the longest of their times. */
export function runSchedule(plane: ControlPlane, row: BackupScheduleRow, now: number): void {
  const { tables } = plane;
  const due = row.schedule.filter((entry) => nextAfter(entry, row.done_at) <= now);
  tables.backupSchedules.put({ ...row, ...plannedFrom(row.schedule, now) });
  const project = tables.projects.get({ id: row.project_id });
  const branch = tables.branches.get({ id: row.branch_id });
  if (!project || !branch) return;
  const retention = Math.max(...due.map(({ retention_seconds: seconds }) => seconds ?? Infinity));
  takeScheduledSnapshot(plane, project, branch, Number.isFinite(retention) ? now + retention * 1000 : undefined);
}

/** With the moments that the request leaves out. */
function completed(entry: BackupScheduleSet["schedule"][number]): BackupRow {
  const { frequency, hour = 0, day = 1, month = 1, retention_seconds } = entry;
  const applies = backupTimeMembers[frequency];
  return {
    frequency,
    ...(applies.includes("hour") && { hour }),
    ...(applies.includes("day") && { day }),
    ...(applies.includes("month") && { month }),
    ...(retention_seconds === undefined ? {} : { retention_seconds }),
  };
}

function plannedFrom(schedule: readonly BackupRow[], moment: number): Pick<BackupScheduleRow, "done_at" | "next_at"> {
  return { done_at: moment, next_at: Math.min(...schedule.map((entry) => nextAfter(entry, moment))) };
}

function nextAfter(entry: BackupRow, after: number): number {
  if (entry.frequency === "hourly") return (Math.floor(after / hourMs) + 1) * hourMs;
  const today = Math.floor(after / dayMs) * dayMs;
  for (let moment = today + (entry.hour ?? 0) * hourMs; ; moment += dayMs) {
    if (moment > after && isDay(entry, new Date(moment))) return moment;
  }
}

function isDay({ frequency, day = 1, month = 1 }: BackupRow, date: Date): boolean {
  switch (frequency) {
    case "hourly":
    case "daily":
      return true;
    case "weekly":
      return date.getUTCDay() === day % 7;
    case "monthly":
      return isDayOfMonth(date, day);
    case "yearly":
      return date.getUTCMonth() + 1 === month && isDayOfMonth(date, day);
    default:
      return frequency satisfies never;
  }
}

/** A month that has no such day is backed up on its last one. */
function isDayOfMonth(date: Date, day: number): boolean {
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.getUTCDate() === Math.min(day, last);
}
