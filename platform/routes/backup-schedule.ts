import { backupScheduleSet } from "../../api/schemas/backup-schedule";
import { inProject } from "../http/authorization";
import { route } from "../http/route";
import { scheduleOf, setSchedule } from "../model/backup-schedule";
import { branchOf } from "../model/branch";

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
