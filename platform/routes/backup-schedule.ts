import { backupScheduleSet } from "../../api/schemas/backup-schedule";
import { projectMember } from "../http/authorization";
import { route } from "../http/route";
import { getBackupSchedule, setBackupSchedule } from "../model/branches/backup-schedule";
import { getBranch } from "../model/branches/branch";

const schedulePath = "/projects/:project_id/branches/:branch_id/backup_schedule";

export const backupScheduleRoutes = [
  route({
    method: "GET",
    path: schedulePath,
    authorization: projectMember,
    handle: ({ controlPlane, project, parameter }) => ({
      schedule: getBackupSchedule(controlPlane, getBranch(controlPlane, project.id, parameter("branch_id"))),
    }),
  }),
  route({
    method: "PUT",
    path: schedulePath,
    authorization: projectMember,
    body: backupScheduleSet,
    handle: ({ controlPlane, project, parameter, body }) => {
      setBackupSchedule(controlPlane, getBranch(controlPlane, project.id, parameter("branch_id")), body);
      return {};
    },
  }),
];
