import { z } from "zod";

import { camelShape, fromWire, toWire } from "../../api/camel-case";
import { type Backup, backupSchedules, backupShape, refineBackup } from "../../api/schemas/backup-schedule";
import { objectId } from "../../api/schemas/wire";
import type { Context } from "../kind/context";
import { adoptedSegment, identifiedBy, idOf } from "../kind/id";
import type { Kind } from "../kind/kind";
import { AlreadyThereError } from "../kind/mutation";
import { adopt } from "./shared/adopt";
import { confirmGone, present } from "./shared/delete";

const inputs = z.strictObject({
  projectId: objectId,
  branchId: objectId,
  schedule: z.array(z.strictObject(camelShape(backupShape)).superRefine(refineBackup)).min(1),
  adopt: adopt.optional(),
});
/** What a program declares of a backup schedule. */
export type BackupScheduleInputs = z.infer<typeof inputs>;

type Schedule = BackupScheduleInputs["schedule"];

/** What there is to know of a backup schedule. */
export type BackupScheduleOutputs = Omit<BackupScheduleInputs, "adopt">;

/**
 * When snapshots of a branch are taken by themselves. Every branch has a schedule, so that there is one resource for it
 * only if something is in it.
 */
export const backupSchedule: Kind<BackupScheduleInputs, BackupScheduleOutputs> = {
  name: "BackupSchedule",
  noun: "backup schedule",
  version: 1,
  inputs,
  rules: { projectId: { onChange: "replace" }, branchId: { onChange: "replace" }, schedule: { equality: "set" } },
  controls: ["adopt"],
  secrets: [],
  uniqueBy: ["projectId", "branchId"],
  ...identifiedBy("projectId", "branchId"),

  create: async (context, { projectId, branchId, schedule }) => {
    // The platform would replace an existing one and say nothing. Even one with the same entries is somebody else's.
    const there = (await readSchedule(context, projectId, branchId)) ?? [];
    if (there.length > 0) throw new AlreadyThereError(`The branch ${branchId} has a backup schedule.`);
    return context.create({
      what: `schedule backups of branch ${branchId}`,
      request: () => backupSchedules.set(projectId, branchId, toWire(schedule)),
      repeatable: true,
      record: () => ({ id: idOf(projectId, branchId), outputs: { projectId, branchId, schedule } }),
    });
  },

  read: async (context, { projectId = "", branchId = "", schedule }) => {
    const there = await readSchedule(context, projectId, branchId);
    if (there === undefined) return undefined;
    // An empty one is what a branch has without this resource, unless it is about to be taken over as it is.
    if (there.length === 0 && schedule?.length !== 0) return undefined;
    // What a declared entry leaves out is the platform's to choose, and then no difference.
    const isKept = Array.isArray(schedule) && isMet(schedule, there);
    return { projectId, branchId, schedule: isKept ? schedule : there };
  },

  update: async (context, { projectId, branchId }, { schedule }, changes) => {
    if (!changes.has("schedule")) return;
    await setSchedule(context, { projectId, branchId, schedule }, "change the backup schedule");
  },

  remove: async (context, { projectId, branchId }) => {
    const what = "end the backups";
    const ended = await present(setSchedule(context, { projectId, branchId, schedule: [] }, what).then(() => true));
    if (ended === true) return;
    await confirmGone(context, {
      object: `backup schedule of branch ${branchId}`,
      project: projectId,
      isThere: async () => ((await readSchedule(context, projectId, branchId)) ?? []).length > 0,
    });
  },

  find: async (context, { projectId, branchId, schedule }, id) => {
    const wanted = id === undefined ? branchId : adoptedSegment(id, projectId);
    const there = await readSchedule(context, projectId, wanted);
    return there && { projectId, branchId: wanted, schedule: there.length === 0 ? [] : schedule };
  },

  // The platform tells no time: `create` has looked before, so that what is there now has appeared since.
  recovery: {
    by: "naturalKey",
    list: async (context, { projectId, branchId, schedule }) => {
      const there = (await readSchedule(context, projectId, branchId)) ?? [];
      return isMet(schedule, there) ? [{ projectId, branchId, schedule }] : [];
    },
  },
};

async function setSchedule(
  context: Context,
  { projectId, branchId, schedule }: BackupScheduleOutputs,
  what: string,
): Promise<void> {
  await context.change({
    what: `${what} of branch ${branchId}`,
    project: projectId,
    request: backupSchedules.set(projectId, branchId, toWire(schedule)),
    applies: ["schedule"],
    record: () => ({ schedule }),
    done: async () => {
      const there = await readSchedule(context, projectId, branchId);
      return there === undefined ? schedule.length === 0 : isMet(schedule, there);
    },
    silent: true,
  });
}

/** The schedule of a branch, undefined if the branch is gone. */
async function readSchedule(context: Context, projectId: string, branchId: string): Promise<Schedule | undefined> {
  const answer = await present(context.read(backupSchedules.get(projectId, branchId)));
  return answer?.schedule.map(entryOf);
}

/** An entry without what else the platform may tell of it. */
function entryOf({ frequency, hour, day, month, retention_seconds }: Backup): Schedule[number] {
  const told = Object.entries({ frequency, hour, day, month, retention_seconds }).filter(
    ([, value]) => value !== undefined,
  );
  return fromWire(Object.fromEntries(told)) as unknown as Schedule[number];
}

/** Whether these are the declared entries and no others, in any order. */
export function isMet(declared: Schedule, there: Schedule): boolean {
  if (declared.length !== there.length) return false;
  // Copies, because a program may list one object twice.
  const wanted = declared.map((entry) => ({ ...entry }));
  const holders: Holders = new Map();
  return wanted.every((entry) => assign(entry, there, holders));
}

/** Which declared entry holds which of those that are there, by index. */
type Holders = Map<number, Schedule[number]>;

/**
 * Gives a declared entry one that it fits. If others hold all of those, the shortest chain of holders moves on, each to
 * another entry that fits, until one is free: the augmenting path of a bipartite matching.
 *
 * @returns whether that was possible
 */
function assign(start: Schedule[number], there: Schedule, holders: Holders): boolean {
  const previous = new Map([...holders].map(([index, holder]) => [holder, index]));
  const reachedBy: Holders = new Map();
  const queue = [start];
  for (const seeker of queue) {
    for (const [index, entry] of there.entries()) {
      if (reachedBy.has(index) || !fits(seeker, entry)) continue;
      reachedBy.set(index, seeker);
      const holder = holders.get(index);
      if (holder === undefined) {
        for (let next: number | undefined = index; next !== undefined;) {
          const taker: Schedule[number] = reachedBy.get(next) ?? start;
          holders.set(next, taker);
          next = previous.get(taker);
        }
        return true;
      }
      queue.push(holder);
    }
  }
  return false;
}

/** The moments that an entry leaves out are the platform's to choose; without a retention it keeps for ever. */
function fits(declared: Schedule[number], entry: Schedule[number]): boolean {
  return (
    declared.frequency === entry.frequency &&
    declared.retentionSeconds === entry.retentionSeconds &&
    (["hour", "day", "month"] as const).every(
      (moment) => declared[moment] === undefined || declared[moment] === entry[moment],
    )
  );
}
