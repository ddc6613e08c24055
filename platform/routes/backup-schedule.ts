import { backupScheduleSet } from "../../api/schemas/backup-schedule";
import { scheduleOf, setSchedule } from "../model/backup-schedule";
import { branchOf } from "../model/branch";
import { route } from "../route";
import { inProject } from "../scope";

const schedule = "/projects/:project_id/branches/:branch_id/backup_schedule";

export const backupScheduleRoutes = [
  route({
    method: "GET",
    path: schedule,
    scope: inProject,
    handle: ({ plane, project, parameter }) => ({
      schedule: scheduleOf(plane, branchOf(plane, project().id, parameter("branch_id"))),
    }),
  }),
  route({
    method: "PUT",
    path: schedule,
    scope: inProject,
    body: backupScheduleSet,
    handle: ({ plane, project, parameter, body }) => {
      setSchedule(plane, branchOf(plane, project().id, parameter("branch_id")), body);
      return {};
    },
  }),
];
