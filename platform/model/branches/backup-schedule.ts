import type { BackupScheduleSet } from "../../../api/schemas/backup-schedule";
import * as published from "../../published/requests";
import { maxRetentionSeconds } from "../../published/rules";
import type { RowTable } from "../containment";
import type { ControlPlane } from "../control-plane";
import { unlockedProject } from "../operations/project-lock";
import { branchMember } from "../routing/authorization";
import { allow, type ApiPaths } from "../routing/route";
import type { BranchRow } from "./branch-row";
import { requireRootBranch, takeScheduledSnapshot } from "./snapshot";

export interface BackupScheduleRow {
  project_id: string;
  branch_id: string;
  schedule: readonly BackupRow[];
  /** Snapshots that were due until this time have been taken. */
  done_at: number;
  /** The time at which the next snapshot is due. */
  next_at: number;
}

export type BackupRow = BackupScheduleSet["schedule"][number];

export const backupScheduleTable: RowTable<BackupScheduleRow> = {
  name: "backup_schedules",
  within: "branch",
  branching: "none",
  primaryKey: ["branch_id"],
  indexes: ["project_id", "next_at"],
  due: {
    at: "next_at",
    // A schedule is paused while its branch or project is deleted.
    where: `AND EXISTS (SELECT 1 FROM branches b JOIN projects p ON p.id = b.project_id
      WHERE b.id = backup_schedules.branch_id AND b.deleted_at IS NULL AND p.deleted_at IS NULL)
      ${unlockedProject("backup_schedules.project_id")}`,
    run: runBackupSchedule,
  },
};

export const backupSchedulePaths: ApiPaths = {
  "/projects/:project_id/branches/:branch_id/backup_schedule": {
    GET: allow(branchMember, ({ controlPlane: { tables }, branch }) => ({
      schedule: tables.backupSchedules.get({ branch_id: branch.id })?.schedule ?? [],
    })),
    PUT: allow({ ...branchMember, ...published.setSnapshotSchedule }, ({ controlPlane, branch, body }) => {
      // The rule for frequencies has refused unknown ones, so the cast is safe.
      setBackupSchedule(controlPlane, branch, body as BackupScheduleSet);
      return {};
    }),
  },
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

function setBackupSchedule({ tables, clock }: ControlPlane, branch: BranchRow, input: BackupScheduleSet): void {
  requireRootBranch(branch);
  if (input.schedule.length === 0) {
    tables.backupSchedules.delete({ branch_id: branch.id });
    return;
  }
  const schedule = input.schedule.map((entry) => ({ retention_seconds: maxRetentionSeconds, ...entry }));
  tables.backupSchedules.put({
    project_id: branch.project_id,
    branch_id: branch.id,
    schedule,
    ...nextBackup(schedule, clock.now()),
  });
}

/** Takes one snapshot for all entries that are due. The snapshot is kept for the longest of their retentions. */
function runBackupSchedule(controlPlane: ControlPlane, row: BackupScheduleRow, now: number): void {
  const { tables } = controlPlane;
  const due = row.schedule.filter((entry) => nextOccurrence(entry, row.done_at) <= now);
  tables.backupSchedules.put({ ...row, ...nextBackup(row.schedule, now) });
  const project = tables.projects.get({ id: row.project_id });
  const branch = tables.branches.get({ id: row.branch_id });
  if (!project || !branch) return;
  const retention = Math.max(...due.map(({ retention_seconds: seconds = maxRetentionSeconds }) => seconds));
  takeScheduledSnapshot(controlPlane, project, branch, now + retention * 1000);
}

function nextBackup(schedule: readonly BackupRow[], now: number): Pick<BackupScheduleRow, "done_at" | "next_at"> {
  return { done_at: now, next_at: Math.min(...schedule.map((entry) => nextOccurrence(entry, now))) };
}

function nextOccurrence({ frequency, hour, day = 1 }: BackupRow, after: number): number {
  const today = Math.floor(after / dayMs) * dayMs;
  for (let time = today + hour * hourMs; ; time += dayMs) {
    if (time > after && matchesDay(frequency, day, new Date(time))) return time;
  }
}

function matchesDay(frequency: BackupRow["frequency"], day: number, date: Date): boolean {
  switch (frequency) {
    case "daily":
      return true;
    case "weekly":
      return date.getUTCDay() === day % 7;
    case "monthly":
      return matchesDayOfMonth(date, day);
    default:
      return frequency satisfies never;
  }
}

/** Whether an entry for a day of the month is due. In a month without that day, the last day counts. */
function matchesDayOfMonth(date: Date, day: number): boolean {
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.getUTCDate() === Math.min(day, last);
}
