import type { Values } from "../provider-server";
import { nightly, onBranch } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { KindSample } from "../sample";
import { branchPath, elsewhere, newBranch, onAnotherRoot, root } from "./object";

const pathOf = (outputs: Values): string => `${branchPath(outputs)}/backup_schedule`;

/** Backups every night. */
export const backupSchedule: KindSample = {
  kind: "BackupSchedule",
  creates: ({ schedule }) => [{ method: "PUT", path: /\/backup_schedule$/, body: { schedule } }],
  declare: async (stage) => ({
    ...(await newBranch(stage)),
    schedule: [{ frequency: "daily", hour: 2, retentionSeconds: 86_400 }],
  }),
  inPlace: () => {
    const set = (schedule: readonly unknown[]) =>
      ({ method: "PUT", path: /\/backup_schedule$/, body: { schedule } }) as const;
    const weekly = { frequency: "weekly", day: 1, hour: 4 };
    return [
      {
        input: "schedule",
        to: [{ frequency: "daily", hour: 3, retentionSeconds: 86_400 }, weekly],
        sends: [set([{ frequency: "daily", hour: 3, retention_seconds: 86_400 }, weekly])],
      },
      {
        input: "schedule",
        to: [{ frequency: "daily", hour: 3 }],
        sends: [set([{ frequency: "daily", hour: 3 }])],
      },
    ];
  },
  replaces: async ({ projectId }, stage) => ({ createsFirst: await elsewhere(stage, projectId, root) }),
  remove: async (stage, outputs) => {
    await stage.platform.call("PUT", pathOf(outputs), { schedule: [] });
  },
  exists: async (stage, outputs) => (await stage.platform.call("GET", pathOf(outputs))).body.schedule.length > 0,
  replaced: {
    branchId: undefined,
  },
  overwritable: (outputs) => ({
    input: "schedule",
    us: [{ frequency: "daily", hour: 3 }],
    them: [{ frequency: "daily", hour: 5 }],
    set: ["PUT", pathOf(outputs)],
    read: ({ schedule }) => schedule.map(({ frequency, hour }) => ({ frequency, hour })),
  }),
  deletedBy: "PUT",
  invalid: [
    { ...onBranch, schedule: [nightly] },
    (
      [
        [[], "", /at least 1 entry/],
        [[{ hour: 1 }], ".0.frequency", /"daily" or "weekly"/],
        [[{ frequency: "hourly", hour: 1 }], ".0.frequency", /"daily" or "weekly"/],
        [[{ frequency: "yearly", hour: 1, day: 1 }], ".0.frequency", /"daily" or "weekly"/],
        [[{ frequency: "daily" }], ".0.hour", /is required/],
        [[{ frequency: "weekly", hour: 1 }], ".0.day", /is required for frequency "weekly"/],
        [[{ frequency: "monthly", hour: 1 }], ".0.day", /is required for frequency "monthly"/],
        [[nightly, { frequency: "daily", hour: 24 }], ".1.hour", /at most 23/],
        [[{ frequency: "daily", hour: 1, day: 1 }], ".0.day", /is not allowed for frequency "daily"/],
        [[{ frequency: "weekly", hour: 1, day: 8 }], ".0.day", /at most 7 .*Monday/],
        [[{ frequency: "monthly", hour: 1, day: 1, month: 4 }], ".0.month", /./],
        [[{ frequency: "daily", hour: 1, retentionSeconds: 60 }], ".0.retentionSeconds", /at least 3600/],
        [[{ frequency: "daily", hour: 1, retentionSeconds: 3_024_001 }], ".0.retentionSeconds", /at most 3024000/],
        [[{ frequency: "daily", hour: 1, retention_seconds: 3600 }], ".0.retention_seconds", /mean retentionSeconds\?/],
      ] as const
    ).map(([schedule, at, reason]) => [{ schedule }, `schedule${at}`, reason]),
  ],
  facts: {
    ...usualFacts,
    path: "/projects/:projectId/branches/:branchId/backup_schedule",
    twice: "the same",
    isNamed: false,
    another: onAnotherRoot,
  },
};
