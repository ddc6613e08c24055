import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

import { fromWire, toWire } from "../../api/core/camel-case";
import { camelShape } from "../../api/core/camel-shape";
import { hasStatus, ignoreNotFound } from "../../api/core/errors";
import { lazy } from "../../api/core/lazy";
import {
  type Backup,
  backupSchedules,
  backupShape,
  maxRetentionSeconds,
  backupDayProblem,
} from "../../api/schemas/backup-schedule";
import type { Context } from "../call/context";
import { combination, known } from "../kind/combination";
import { creation } from "../kind/creation";
import { adopt, ofBranch, ofProject } from "../kind/inputs";
import { only, type OutputsOf } from "../kind/outputs";
import { singletonKind } from "../kind/singleton-kind";
import { omitUndefined, unknownValue, type Values } from "../values";
import type { BranchAddress } from "./branch/read";
import { explainedByParent, parentOf } from "./branch/root";

const entry = lazy(() => {
  return z
    .strictObject(camelShape(backupShape))
    .check(
      combination(({ frequency, day }, report) => {
        const of = known(frequency);
        const problem = of === undefined || day === unknownValue ? undefined : backupDayProblem(of, known(day));
        if (problem !== undefined) report(problem, "day");
      }),
    )
    .meta({ title: "BackupArgs", description: "One entry of a backup schedule. Times are in UTC." });
});
const inputs = lazy(() =>
  z.strictObject({
    ...ofProject,
    branchId: ofBranch.branchId.meta({ note: "Neon takes snapshots of root branches only." }),
    schedule: z.array(entry()).min(1).meta({
      description: "Entries of the schedule, at least one, in any order.",
      change: "A change sets all entries.",
    }),
    adopt: adopt.describe(
      "`true`, or the branch's id, adopts the existing schedule of the branch and overwrites it with the declared entries. If omitted, creating the resource fails if the branch has a schedule.",
    ),
  }),
);
export type BackupScheduleInputs = z.infer<ReturnType<typeof inputs>>;

type Schedule = BackupScheduleInputs["schedule"];

const outputs = () => z.object({ ...ofBranch, ...only(inputs().shape, "schedule") });
export type BackupScheduleOutputs = OutputsOf<typeof outputs>;

/**
 * The times at which the platform takes snapshots of a branch. Every branch has a schedule; an empty one counts as none.
 */
export const backupSchedule = singletonKind<Schedule, BackupScheduleInputs, BackupScheduleOutputs>({
  name: "BackupSchedule",
  noun: "backup schedule",
  inputs,
  outputs,
  identifiedBy: ["projectId", "branchId"],
  rules: {
    schedule: { equality: isAsDeclared },
  },
  identity: { by: "schedule", isSetting: true },

  create: ({ projectId, branchId, schedule }) =>
    creation({
      what: "schedule backups",
      request: backupSchedules.set(projectId, branchId, toWire(schedule)),
      repeatable: true,
      outputs: () => ({ projectId, branchId, schedule }),
      // The platform replaces an existing schedule without an error. Even one with the same entries has another owner.
      overwrites: true,
      explain: (context, error) => explainedByBranch(context, { projectId, branchId }, error),
    }),

  find: async (context, { projectId = "", branchId = "" }) => {
    const actual = (await readSchedule(context, projectId, branchId)) ?? [];
    return actual.length > 0 ? actual : undefined;
  },
  outputsOf: (schedule, { projectId = "", branchId = "" }) => ({ projectId, branchId, schedule }),
  read: async (context, { projectId = "", branchId = "", schedule }) => {
    const actual = await readSchedule(context, projectId, branchId);
    if (actual === undefined) return undefined;
    // An empty schedule is one that does not exist, unless it is about to be adopted.
    if (actual.length === 0 && schedule?.length !== 0) return undefined;
    const parent = context.isRefresh ? await parentOf(context, { projectId, branchId }) : undefined;
    if (parent !== undefined) {
      context.warn(
        `The backup schedule of branch ${branchId} has no effect: the branch has a parent, ${parent}, and only root branches take snapshots. Remove the \`BackupSchedule\` from the program.`,
      );
    }
    // Neither another order nor a default that the platform reports is drift.
    const isKept = Array.isArray(schedule) && isSameSchedule(schedule, actual);
    return { projectId, branchId, schedule: isKept ? schedule : actual };
  },

  update: async (context, { projectId, branchId }, { schedule }) => {
    await setSchedule(context, { projectId, branchId, schedule }, "change the backup schedule").catch(
      async (error: unknown) => {
        throw await explainedByBranch(context, { projectId, branchId }, error);
      },
    );
  },

  remove: async (context, { projectId, branchId }) => {
    const object = `backup schedule of branch ${branchId}`;
    const none = { projectId, branchId, schedule: [] };
    const emptying = setSchedule(context, none, "delete the backup schedule").catch(async (error: unknown) => {
      const parent = hasStatus(error, 422) ? await parentOf(context, { projectId, branchId }) : undefined;
      if (parent === undefined) throw error;
      context.warn(
        `The ${object} has no effect and cannot be deleted: the branch has a parent, ${parent}, and only root branches take snapshots. Pulumi only removes it from the state. It takes effect again if the branch becomes a root branch.`,
      );
    });
    const isEmptied = await ignoreNotFound(emptying.then(() => true));
    if (isEmptied === true) return;
    await context.delete({
      what: "delete the backup schedule",
      object,
      project: projectId,
      exists: async () => ((await readSchedule(context, projectId, branchId)) ?? []).length > 0,
    });
  },

  adopted: (context, declared, branchId) => find(context, { ...declared, branchId }),

  listing: { of: "root branch" },
});

/** The schedule to adopt, which may be empty. */
async function find(context: Context, declared: BackupScheduleInputs): Promise<BackupScheduleOutputs | undefined> {
  const { projectId, branchId, schedule } = declared;
  const actual = await readSchedule(context, projectId, branchId);
  return actual && { projectId, branchId, schedule: actual.length === 0 ? [] : schedule };
}

async function setSchedule(
  context: Context,
  { projectId, branchId, schedule }: BackupScheduleOutputs,
  what: string,
): Promise<void> {
  await context.change({
    what: `${what} of branch ${branchId}`,
    request: backupSchedules.set(projectId, branchId, toWire(schedule)),
    applies: ["schedule"],
    outputs: () => ({ schedule }),
    done: async () => {
      const actual = await readSchedule(context, projectId, branchId);
      return actual === undefined ? schedule.length === 0 : isSameSchedule(schedule, actual);
    },
    silent: true,
  });
}

function explainedByBranch(context: Context, address: BranchAddress, error: unknown): Promise<unknown> {
  const failed = `The backup schedule of branch ${address.branchId} was not set`;
  return explainedByParent(context, address, error, { failed, resource: "BackupSchedule" });
}

/** The schedule of a branch, or `undefined` if the branch does not exist. */
async function readSchedule(context: Context, projectId: string, branchId: string): Promise<Schedule | undefined> {
  const answer = await ignoreNotFound(context.read(backupSchedules.get(projectId, branchId)));
  return answer?.schedule.map(entryOf);
}

/** An entry with only the members that a program can declare, or could in earlier releases. */
function entryOf({ frequency, hour, day, month, retention_seconds }: Backup): Schedule[number] {
  return fromWire(omitUndefined({ frequency, hour, day, month, retention_seconds })) as unknown as Schedule[number];
}

/** Whether two schedules have the same entries, in any order. */
function isSameSchedule(one: Schedule, other: Schedule): boolean {
  const [first, second] = [one, other].map((schedule) => schedule.map(entryKey).toSorted());
  return isDeepStrictEqual(first, second);
}

/** A key that is equal for equivalent entries. */
function entryKey(entry: Values): string {
  const { frequency, hour, day, month, retentionSeconds = maxRetentionSeconds } = entry;
  return JSON.stringify([frequency, hour, day, month, retentionSeconds]);
}

function isAsDeclared(present: unknown, declared: unknown): boolean {
  return Array.isArray(present) && Array.isArray(declared) && isSameSchedule(declared as Schedule, present as Schedule);
}
