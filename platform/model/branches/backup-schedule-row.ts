import type { BackupScheduleSet } from "../../../api/schemas/backup-schedule";
import type { TableDefinition } from "../../storage/table";

export interface BackupScheduleRow {
  project_id: string;
  branch_id: string;
  schedule: readonly BackupRow[];
  /** Up to when its snapshots have been taken. */
  done_at: number;
  /** When the next one is due. */
  next_at: number;
}

export type BackupRow = BackupScheduleSet["schedule"][number];

export const backupScheduleTable: TableDefinition<BackupScheduleRow> = {
  name: "backup_schedules",
  columns: ["project_id", "branch_id", "next_at"],
  primaryKey: ["branch_id"],
  indexes: ["project_id", "next_at"],
};
