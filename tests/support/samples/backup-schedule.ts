import { backupSchedule as definition } from "../../../provider/resources/backup-schedule";
import type { Values } from "../provider-server";
import type { Sample } from "../sample";
import { branchPath } from "./object";

const pathOf = (outputs: Values): string => `${branchPath(outputs)}/backup_schedule`;

/** Backups every night, at an hour that the platform chooses. */
export const backupSchedule: Sample = {
  kind: "BackupSchedule",
  definition,
  declare: async (stage) => {
    const { id, branchId } = await stage.project();
    return { projectId: id, branchId, schedule: [{ frequency: "daily", retentionSeconds: 86_400 }] };
  },
  inPlace: () => {
    const set = (schedule: readonly unknown[]) =>
      ({ method: "PUT", path: /\/backup_schedule$/, body: { schedule } }) as const;
    return [
      {
        input: "schedule",
        to: [{ frequency: "daily", hour: 3, retentionSeconds: 86_400 }, { frequency: "weekly" }],
        sends: [set([{ frequency: "daily", hour: 3, retention_seconds: 86_400 }, { frequency: "weekly" }])],
      },
      {
        input: "schedule",
        to: [{ frequency: "daily", hour: 3 }],
        sends: [set([{ frequency: "daily", hour: 3 }])],
      },
    ];
  },
  replaces: async ({ projectId }, stage) => {
    const { id } = await stage.project();
    const root = await stage.branch(String(projectId), { branch: { init_source: "schema-only" } });
    return { createsFirst: { projectId: id, branchId: root.id } };
  },
  remove: async (stage, outputs) => {
    await stage.platform.call("PUT", pathOf(outputs), { schedule: [] });
  },
  exists: async (stage, outputs) => (await stage.platform.call("GET", pathOf(outputs))).body.schedule.length > 0,
  adopt: ({ branchId }) => String(branchId),
};
