// Generated from provider/resources/backup-schedule.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { backupSchedule } from "../../provider/resources/backup-schedule";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";

/** One entry of a backup schedule. Times are in UTC. */
export interface BackupArgs {
  /** How often Neon takes a snapshot. */
  readonly frequency: pulumi.Input<"daily" | "weekly" | "monthly">;
  /** Hour of the day, 0 to 23. */
  readonly hour: pulumi.Input<number>;
  /**
   * For `weekly`, the day of the week, 1 (Monday) to 7. For `monthly`, the day of the month, 1 to 31. Required by both,
   * not allowed for `daily`.
   */
  readonly day?: pulumi.Input<number>;
  /** How long Neon keeps each snapshot, in seconds, 3600 to 3024000 (35 days). Default: 35 days. */
  readonly retentionSeconds?: pulumi.Input<number>;
}

/** Arguments of a {@link BackupSchedule}. */
export interface BackupScheduleArgs {
  /** Id of the project. Changing it replaces the backup schedule. */
  readonly projectId: pulumi.Input<string>;
  /** Id of the branch. Neon takes snapshots of root branches only. Changing it replaces the backup schedule. */
  readonly branchId: pulumi.Input<string>;
  /** Entries of the schedule, at least one, in any order. Updated in place. A change sets all entries. */
  readonly schedule: pulumi.Input<pulumi.Input<BackupArgs>[]>;
  /**
   * `true`, or the branch's id, adopts the existing schedule of the branch and overwrites it with the declared entries.
   * If omitted, creating the resource fails if the branch has a schedule. Setting or removing `adopt` later has no
   * effect.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const backupScheduleDefinition: ResourceDefinition = {
  kind: "BackupSchedule",
  id: ["projectId", "branchId"],
  outputs: { projectId: "plain", branchId: "plain", schedule: "plain" },
};

/**
 * The schedule on which Neon takes snapshots of a branch. A branch has one schedule.
 *
 * Neon keeps scheduled snapshots for 35 days, or for a shorter time if you declare one. To keep data for longer,
 * declare a `Snapshot`, which has no limit.
 *
 * Destroying the resource clears the schedule. The snapshots that it has created are kept.
 *
 * A restore gives a root branch a parent. The schedule then has no effect, and a refresh warns of it. It cannot be
 * changed; destroying the resource removes it from the state with a warning.
 *
 * Neon API: `PUT /projects/{project_id}/branches/{branch_id}/backup_schedule`.
 *
 * @example
 * ```ts
 * new neon.BackupSchedule("nightly", {
 *   projectId: project.id,
 *   branchId: project.defaultBranchId,
 *   schedule: [{ frequency: "daily", hour: 3, retentionSeconds: 7 * 86_400 }],
 * });
 * ```
 *
 * @example
 * ```ts
 * // Weekly and monthly snapshots, in another project.
 * const archive = new neon.Project("archive", { regionId: "aws-eu-central-1" });
 * new neon.BackupSchedule("archive", {
 *   projectId: archive.id,
 *   branchId: archive.defaultBranchId,
 *   schedule: [
 *     { frequency: "weekly", day: 1, hour: 2, retentionSeconds: 30 * 86_400 },
 *     { frequency: "monthly", day: 1, hour: 4, retentionSeconds: 35 * 86_400 },
 *   ],
 * });
 * ```
 */
export class BackupSchedule extends Resource {
  /** Id of the project. */
  declare readonly projectId: pulumi.Output<string>;
  /** Id of the branch. */
  declare readonly branchId: pulumi.Output<string>;
  /** Entries of the schedule, at least one, in any order. */
  declare readonly schedule: pulumi.Output<pulumi.Unwrap<BackupArgs>[]>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: BackupScheduleArgs, opts?: pulumi.CustomResourceOptions) {
    super(backupScheduleDefinition, name, args, opts);
  }

  /** Reads an existing backup schedule without managing it. The id has the form `<projectId>/<branchId>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): BackupSchedule {
    return Resource.existing(BackupSchedule, backupScheduleDefinition, name, id, opts);
  }

  /** Returns whether a value is a `BackupSchedule`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is BackupSchedule {
    return Resource.isOfKind(value, "BackupSchedule");
  }
}

true satisfies SameInputs<BackupScheduleArgs, (typeof backupSchedule)["inputs"]>;
