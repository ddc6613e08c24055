import type { BackupScheduleSet } from "../../api/schemas/backup-schedule";
import { branchMember } from "../http/authorization";
import { allow, type ApiPaths } from "../http/route";
import { getBackupSchedule, setBackupSchedule } from "../model/branches/backup-schedule";
import * as published from "../published/requests";

export const backupSchedulePaths: ApiPaths = {
  "/projects/:project_id/branches/:branch_id/backup_schedule": {
    GET: allow(branchMember, ({ controlPlane, branch }) => ({ schedule: getBackupSchedule(controlPlane, branch) })),
    PUT: allow({ ...branchMember, ...published.setSnapshotSchedule }, ({ controlPlane, branch, body }) => {
      // The rule for frequencies allows those that are known.
      setBackupSchedule(controlPlane, branch, body as BackupScheduleSet);
      return {};
    }),
  },
};
