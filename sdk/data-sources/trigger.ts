// Generated from api/lookups/trigger.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** When the trigger invokes its function. */
export interface TriggerScheduleResult {
  /** Times in UTC: minute, hour, day of the month, month and day of the week, as numbers. */
  readonly cron: string;
}

/** Which objects invoke the function. */
export interface TriggerStorageObjectCreatedResult {
  /** Name of the bucket. */
  readonly bucketName: string;
  /** The prefix that the key of an object must have. Absent if every object invokes the function. */
  readonly prefix?: string;
}

/** A trigger of a branch. */
export interface TriggerResult {
  /** Id of the trigger, the same on all branches that have it. */
  readonly triggerId: string;
  /** Name of the trigger, unique on the branch. */
  readonly name: string;
  /** `schedule` or `storage_object_created`. */
  readonly type: string;
  /** Slug of the function. */
  readonly functionSlug: string;
  /** Path of the function's URL that is called. */
  readonly functionPath: string;
  /** Times at which it invokes the function. Absent unless its type is `schedule`. */
  readonly schedule?: TriggerScheduleResult;
  /** Objects whose upload invokes the function. Absent unless its type is `storage_object_created`. */
  readonly storageObjectCreated?: TriggerStorageObjectCreatedResult;
  /** Whether the trigger invokes its function. */
  readonly enabled: boolean;
  /** Whether the branch has the trigger from its parent. The first change makes it the branch's own. */
  readonly inherited: boolean;
}

/** Arguments of `getTriggers`. */
export interface GetTriggersArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the branch. */
  readonly branchId: string;
}

const getTriggersSource = dataSource<GetTriggersArgs, TriggerResult[]>("getTriggers");

/**
 * Lists the triggers of a branch, with those that it has from its parent. Neon's API for it is in beta.
 *
 * Neon API: `GET /projects/{project_id}/branches/{branch_id}/triggers`.
 *
 * @example
 * ```ts
 * const triggers = neon.getTriggersOutput({ projectId: project.id, branchId: project.defaultBranchId });
 * export const disabled = triggers.apply((all) => all.filter(({ enabled }) => !enabled));
 * ```
 */
export function getTriggers(args: GetTriggersArgs, options?: LookupOptions) {
  return getTriggersSource.invoke(args, options);
}

/** Output form of {@link getTriggers}: the arguments can be outputs. */
export function getTriggersOutput(args: Inputs<GetTriggersArgs>, options?: LookupOptions) {
  return getTriggersSource.output(args, options);
}
