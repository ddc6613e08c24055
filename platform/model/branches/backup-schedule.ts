import type { BackupScheduleSet } from "../../../api/schemas/backup-schedule";
import { backupTimeMembers } from "../../published/rules";
import type { ControlPlane } from "../control-plane";
import type { BackupRow, BackupScheduleRow, BranchRow } from "../rows";
import { requireRootBranch, takeScheduledSnapshot } from "./snapshot";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The backup schedule of a branch, empty by default. */
export function getBackupSchedule({ tables }: ControlPlane, branch: BranchRow): readonly BackupRow[] {
  return tables.backupSchedules.get({ branch_id: branch.id })?.schedule ?? [];
}

export function setBackupSchedule({ tables, clock }: ControlPlane, branch: BranchRow, input: BackupScheduleSet): void {
  requireRootBranch(branch);
  if (input.schedule.length === 0) {
    tables.backupSchedules.delete({ branch_id: branch.id });
    return;
  }
  const schedule = input.schedule.map(withDefaults);
  tables.backupSchedules.put({
    project_id: branch.project_id,
    branch_id: branch.id,
    schedule,
    ...nextRun(schedule, clock.now()),
  });
}

/** Takes one snapshot for all entries that are due. It is kept for the longest of their retentions. */
export function runBackupSchedule(controlPlane: ControlPlane, row: BackupScheduleRow, now: number): void {
  const { tables } = controlPlane;
  const due = row.schedule.filter((entry) => nextOccurrence(entry, row.done_at) <= now);
  tables.backupSchedules.put({ ...row, ...nextRun(row.schedule, now) });
  const project = tables.projects.get({ id: row.project_id });
  const branch = tables.branches.get({ id: row.branch_id });
  if (!project || !branch) return;
  const retention = Math.max(...due.map(({ retention_seconds: seconds }) => seconds ?? Infinity));
  takeScheduledSnapshot(controlPlane, project, branch, Number.isFinite(retention) ? now + retention * 1000 : undefined);
}

/** Adds the members of a schedule entry that a request omits. */
function withDefaults(entry: BackupRow): BackupRow {
  const { frequency, hour = 0, day = 1, month = 1, retention_seconds } = entry;
  const members = backupTimeMembers[frequency];
  return {
    frequency,
    hour: members.includes("hour") ? hour : undefined,
    day: members.includes("day") ? day : undefined,
    month: members.includes("month") ? month : undefined,
    retention_seconds,
  };
}

function nextRun(schedule: readonly BackupRow[], now: number): Pick<BackupScheduleRow, "done_at" | "next_at"> {
  return { done_at: now, next_at: Math.min(...schedule.map((entry) => nextOccurrence(entry, now))) };
}

function nextOccurrence(entry: BackupRow, after: number): number {
  if (entry.frequency === "hourly") return (Math.floor(after / hourMs) + 1) * hourMs;
  const today = Math.floor(after / dayMs) * dayMs;
  for (let time = today + (entry.hour ?? 0) * hourMs; ; time += dayMs) {
    if (time > after && matchesDay(entry, new Date(time))) return time;
  }
}

function matchesDay({ frequency, day = 1, month = 1 }: BackupRow, date: Date): boolean {
  switch (frequency) {
    case "hourly":
    case "daily":
      return true;
    case "weekly":
      return date.getUTCDay() === day % 7;
    case "monthly":
      return matchesDayOfMonth(date, day);
    case "yearly":
      return date.getUTCMonth() + 1 === month && matchesDayOfMonth(date, day);
    default:
      return frequency satisfies never;
  }
}

/** In a month that is too short, the last day counts. */
function matchesDayOfMonth(date: Date, day: number): boolean {
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.getUTCDate() === Math.min(day, last);
}
