import { backupSchedule as definition } from "../../../provider/resources/backup-schedule";
import type { Values } from "../provider-server";
import { nightly, onBranch } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
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
  invalid: [
    onBranch,
    (
      [
        [[], "", /at least 1 entry/],
        [[{}], ".0.frequency", /"hourly" or "daily"/],
        [[{ frequency: "fortnightly" }], ".0.frequency", /"hourly" or "daily"/],
        [[nightly, { frequency: "daily", hour: 24 }], ".1.hour", /at most 23/],
        [[{ frequency: "daily", day: 1 }], ".0.day", /is not allowed for frequency "daily"/],
        [[{ frequency: "weekly", day: 8 }], ".0.day", /at most 7 .*Monday/],
        [[{ frequency: "yearly", month: 4, day: 31 }], ".0.day", /at most 30 in month 4/],
        [[{ frequency: "yearly", month: 0 }], ".0.month", /at least 1/],
        [[{ frequency: "daily", retentionSeconds: 60 }], ".0.retentionSeconds", /at least 3600/],
        [[{ frequency: "daily", retention_seconds: 3600 }], ".0.retention_seconds", /mean retentionSeconds\?/],
      ] as const
    ).map(([schedule, at, reason]) => [{ schedule }, `schedule${at}`, reason]),
  ],
  facts: {
    ...usualFacts,
    path: "/projects/:projectId/branches/:branchId/backup_schedule",
    twice: "the same",
    isNamed: false,
    another: async (declared, stage) => {
      const { id } = await stage.branch(String(declared["projectId"]), { branch: { init_source: "schema-only" } });
      return { ...declared, branchId: id };
    },
  },
};
