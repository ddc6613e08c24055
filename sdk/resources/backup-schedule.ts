import type * as pulumi from "@pulumi/pulumi";

import type { BackupScheduleInputs, BackupScheduleOutputs } from "../../provider/resources/backup-schedule";
import { segmentsOf } from "../id";
import { Resource, type ResourceClass, typeToken } from "../resource";
import type { SameInputs, SameNames } from "../type-equality";

/** One way in which backups of a branch are taken. Times are in UTC; what is left out of them is the platform's to choose. */
export interface BackupArgs {
  /** How often. Newer descriptions of the platform name `daily`, `weekly` and `monthly` only. */
  readonly frequency: pulumi.Input<"hourly" | "daily" | "weekly" | "monthly" | "yearly">;
  /** Hour of the day, 0 to 23; not for `hourly`. */
  readonly hour?: pulumi.Input<number>;
  /** Day of the week for `weekly`, 1 (Monday) to 7; day of the month for `monthly` and `yearly`, 1 to 31. */
  readonly day?: pulumi.Input<number>;
  /** Month of the year for `yearly`, 1 to 12. */
  readonly month?: pulumi.Input<number>;
  /** How long each snapshot is kept, in seconds, at least 3600. Default: for ever. */
  readonly retentionSeconds?: pulumi.Input<number>;
}

/** What a program declares of a backup schedule. */
export interface BackupScheduleArgs {
  /** The project the branch belongs to. A change replaces the schedule. */
  readonly projectId: pulumi.Input<string>;
  /** The branch to back up; the platform takes snapshots of root branches only. A change replaces the schedule. */
  readonly branchId: pulumi.Input<string>;
  /** When snapshots are taken, at least one entry; their order means nothing. Changed in place, all of it at once. */
  readonly schedule: pulumi.Input<pulumi.Input<BackupArgs>[]>;
  /**
   * Takes over the schedule that the branch has, whatever is in it: `true`, or the branch's id. What is declared then
   * takes its place. Without it, a schedule that somebody else has set is refused. Setting or removing it later changes
   * nothing.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const outputs = { projectId: true, branchId: true, schedule: true } as const;
const self: ResourceClass = { kind: "BackupSchedule", outputs: Object.keys(outputs), secrets: [] };

/**
 * When snapshots of a branch are taken by themselves. A branch has one schedule; destroying the resource empties it, and
 * leaves the snapshots that it has taken.
 *
 * @example
 * ```ts
 * new neon.BackupSchedule("nightly", {
 *   projectId: project.id,
 *   branchId: project.defaultBranchId,
 *   schedule: [{ frequency: "daily", hour: 3, retentionSeconds: 7 * 86_400 }],
 * });
 * ```
 */
export class BackupSchedule extends Resource {
  /** The project the branch belongs to. */
  declare readonly projectId: pulumi.Output<string>;
  /** The branch that is backed up. */
  declare readonly branchId: pulumi.Output<string>;
  /** When snapshots are taken. */
  declare readonly schedule: pulumi.Output<pulumi.Unwrap<BackupArgs>[]>;

  /**
   * @param name the resource's logical name
   * @param args what to declare
   * @param opts Pulumi's own options; `import` is refused, see `adopt`
   */
  constructor(name: string, args: BackupScheduleArgs, opts?: pulumi.CustomResourceOptions) {
    super(self, name, args, opts);
  }

  /** A schedule that somebody has set, without managing it. Its id is that of the project and that of the branch, with a slash between. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): BackupSchedule {
    const segment = segmentsOf(id, "<project>/<branch>");
    // What is in it is told by the platform.
    const args: Partial<BackupScheduleArgs> = { projectId: segment(0), branchId: segment(1) };
    return new BackupSchedule(name, args as BackupScheduleArgs, { ...opts, id });
  }

  /** Whether this is a backup schedule, even one made by another copy of this package. */
  static override isInstance(value: unknown): value is BackupSchedule {
    return Resource.isOfType(value, typeToken("BackupSchedule"));
  }
}

true satisfies SameInputs<BackupScheduleArgs, BackupScheduleInputs>;
true satisfies SameNames<keyof typeof outputs, BackupScheduleOutputs>;
