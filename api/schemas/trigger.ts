import { z } from "zod";

import { path, request } from "../core/request";
import { emptyResponse, timestamp } from "./wire";

/** The times at which a trigger invokes its function: five numeric fields, in UTC. */
export const triggerSchedule = z.object({
  cron: z
    .string()
    .min(1)
    .describe("Times in UTC: minute, hour, day of the month, month and day of the week, as numbers."),
});

/** The uploads that invoke the function: those to this bucket whose keys start with the prefix. */
export const storageObjectCreated = z.object({
  bucket_name: z.string().min(1).describe("Name of the bucket."),
  /** At most 1024 bytes. */
  prefix: z.string().optional().meta({
    description: "The prefix that the key of an object must have.",
    omitted: "every object invokes the function",
    absent: "if every object invokes the function",
  }),
});

/** The types of triggers. Each trigger has a member with the name of its type. */
export const triggerTypes = ["schedule", "storage_object_created"] as const;

/** The body that creates a trigger, with the member that its type names. */
export const triggerCreate = z.object({
  type: z.enum(triggerTypes),
  function_slug: z.string().min(1),
  name: z.string().min(1).max(256),
  function_path: z.string().min(1).max(2048).optional(),
  schedule: triggerSchedule.optional(),
  storage_object_created: storageObjectCreated.optional(),
  enabled: z.boolean().optional(),
});
export type TriggerCreate = z.infer<typeof triggerCreate>;

/** The body that changes a trigger: its current type, and at least one other member. */
export const triggerUpdate = triggerCreate.partial().required({ type: true });
type TriggerUpdate = z.infer<typeof triggerUpdate>;

/** A trigger of a branch. */
export const trigger = z.looseObject({
  trigger_id: z.string().describe("Id of the trigger, the same on all branches that have it."),
  name: z.string().describe("Name of the trigger, unique on the branch."),
  type: z.string().describe("`schedule` or `storage_object_created`."),
  function_slug: z.string().describe("Slug of the function."),
  function_path: z.string().describe("Path of the function's URL that is called."),
  schedule: z
    .looseObject(triggerSchedule.shape)
    .meta({ title: "TriggerScheduleResult", description: "When the trigger invokes its function." })
    .optional()
    .describe("Times at which it invokes the function. Absent unless its type is `schedule`."),
  storage_object_created: z
    .looseObject(storageObjectCreated.shape)
    .meta({ title: "TriggerStorageObjectCreatedResult", description: "Which objects invoke the function." })
    .optional()
    .describe("Objects whose upload invokes the function. Absent unless its type is `storage_object_created`."),
  enabled: z.boolean().describe("Whether the trigger invokes its function."),
  /** The version rises with each change. */
  version: z.number(),
  inherited: z
    .boolean()
    .describe("Whether the branch has the trigger from its parent. The first change makes it the branch's own."),
  /** Present only for an enabled schedule. */
  next_run_at: timestamp.optional(),
});
export type Trigger = z.infer<typeof trigger>;

const triggerList = z.looseObject({ triggers: z.array(trigger) });
const triggerResponse = z.looseObject({ trigger });

const pathOf = (projectId: string, branchId: string, triggerId: string): string =>
  path`/projects/${projectId}/branches/${branchId}/triggers/${triggerId}`;

/** Requests for the triggers of a branch, including inherited ones. */
export const triggers = {
  list: (projectId: string, branchId: string) =>
    request("GET", path`/projects/${projectId}/branches/${branchId}/triggers`, triggerList),
  get: (projectId: string, branchId: string, triggerId: string) =>
    request("GET", pathOf(projectId, branchId, triggerId), triggerResponse),
  create: (projectId: string, branchId: string, body: TriggerCreate) =>
    request("POST", path`/projects/${projectId}/branches/${branchId}/triggers`, triggerResponse, { body }),
  update: (projectId: string, branchId: string, triggerId: string, body: TriggerUpdate) =>
    request("PATCH", pathOf(projectId, branchId, triggerId), triggerResponse, { body }),
  /** Deleting an inherited trigger hides it permanently on this branch. */
  delete: (projectId: string, branchId: string, triggerId: string) =>
    request("DELETE", pathOf(projectId, branchId, triggerId), emptyResponse),
};

/** The smallest and the largest value of each field of a schedule: minute, hour, day of the month, month, day of the week. */
const cronBounds = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
] as const;

/** A part of a field: all values, one or a range, and the step between them. */
const cronPart = /^(?:\*|(?<first>\d+)(?:-(?<last>\d+))?)(?:\/(?<step>\d+))?$/;

/** The problem with a schedule, if any. A schedule must have five numeric fields. */
export function cronProblem(expression: string): string | undefined {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== cronBounds.length) return "must have exactly five fields, such as `0 * * * *`";
  for (const [index, [smallest, largest]] of cronBounds.entries()) {
    for (const text of (fields[index] ?? "").split(",")) {
      const found = cronPart.exec(text)?.groups;
      if (!found) return "must have five fields of numbers, such as `0 * * * *`";
      const first = Number(found["first"] ?? smallest);
      const last = Number(found["last"] ?? found["first"] ?? largest);
      const step = Number(found["step"] ?? 1);
      if (first < smallest || last > largest || first > last || step < 1 || step > largest) {
        return `must have values within the bounds of its fields: \`${text}\` is not within ${smallest} to ${largest}`;
      }
    }
  }
  return undefined;
}
