import { backupScheduleSet } from "../../api/schemas/backup-schedule";
import { branchMember } from "../http/authorization";
import { allow, type ApiPaths } from "../http/route";
import { getBackupSchedule, setBackupSchedule } from "../model/branches/backup-schedule";

export const backupSchedulePaths: ApiPaths = {
  "/projects/:project_id/branches/:branch_id/backup_schedule": {
    GET: allow(branchMember, ({ controlPlane, branch }) => ({ schedule: getBackupSchedule(controlPlane, branch) })),
    PUT: allow({ ...branchMember, body: backupScheduleSet }, ({ controlPlane, branch, body }) => {
      setBackupSchedule(controlPlane, branch, body);
      return {};
    }),
  },
};
