// Generated from provider/resources/snapshot.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { snapshot } from "../../provider/resources/snapshot";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";

/** Arguments of a {@link Snapshot}. */
export interface SnapshotArgs {
  /** Id of the project. Changing it replaces the snapshot. */
  readonly projectId: pulumi.Input<string>;
  /** Id of the branch. Neon takes snapshots of root branches only. Changing it replaces the snapshot. */
  readonly branchId: pulumi.Input<string>;
  /** Name of the snapshot, unique in the project. Default: the resource's logical name. Updated in place. */
  readonly name?: pulumi.Input<string>;
  /**
   * Log sequence number of the branch at which the snapshot is taken, such as `0/1DE2850`. Conflicts with `timestamp`.
   * Default: the latest. Changing it replaces the snapshot.
   */
  readonly lsn?: pulumi.Input<string>;
  /**
   * Time in the branch's history at which the snapshot is taken (ISO 8601), such as `2030-01-31T12:00:00Z`. Conflicts
   * with `lsn`. Default: now. Changing it replaces the snapshot.
   */
  readonly timestamp?: pulumi.Input<string>;
  /**
   * Time at which Neon deletes the snapshot (ISO 8601), such as `2030-01-31T12:00:00Z`. Default: never. Updated in
   * place. Removing it keeps the snapshot for ever.
   */
  readonly expiresAt?: pulumi.Input<string>;
  /**
   * Adopts an existing snapshot instead of creating one, and applies the declared arguments to it. An id adopts that
   * snapshot and fails if it does not exist. `true` adopts the snapshot with this `name`, or creates one if there is
   * none. Setting or removing `adopt` later has no effect.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const snapshotDefinition: ResourceDefinition = {
  kind: "Snapshot",
  id: ["projectId", "snapshotId"],
  outputs: {
    projectId: "plain",
    branchId: "plain",
    name: "plain",
    slug: "plain",
    lsn: "plain",
    timestamp: "plain",
    expiresAt: "plain",
    snapshotId: "fromId",
    manual: "plain",
    createdAt: "plain",
  },
};

/**
 * A snapshot of a branch. Destroying the resource deletes the snapshot.
 *
 * Names are unique in a project, so replacing a snapshot deletes the old one before a new one is taken of the branch's
 * current data. To take the new one first, change `name`, too. To keep the old one, declare another resource.
 *
 * Neon API: `POST /projects/{project_id}/branches/{branch_id}/snapshot`, `PATCH` and
 * `DELETE /projects/{project_id}/snapshots/{snapshot_id}`.
 *
 * @example
 * ```ts
 * new neon.Snapshot("before-release-7", { projectId: project.id, branchId: project.defaultBranchId });
 * ```
 *
 * @example
 * ```ts
 * // Neon deletes it at the end of 2030.
 * new neon.Snapshot("before-migration", {
 *   projectId: project.id,
 *   branchId: project.defaultBranchId,
 *   expiresAt: "2030-12-31T00:00:00Z",
 * });
 * ```
 */
export class Snapshot extends Resource {
  /** Id of the project. */
  declare readonly projectId: pulumi.Output<string>;
  /** Id of the branch that the snapshot was created from. */
  declare readonly branchId: pulumi.Output<string | undefined>;
  /** Name of the snapshot, unique in the project. */
  declare readonly name: pulumi.Output<string>;
  /** Another name, which Neon generates and which never changes. Neon's CLI finds the snapshot by it. */
  declare readonly slug: pulumi.Output<string | undefined>;
  /** Log sequence number of the branch at which the snapshot is taken, such as `0/1DE2850`. */
  declare readonly lsn: pulumi.Output<string | undefined>;
  /** Time in the branch's history at which the snapshot is taken (ISO 8601), such as `2030-01-31T12:00:00Z`. */
  declare readonly timestamp: pulumi.Output<string | undefined>;
  /** Time at which Neon deletes the snapshot (ISO 8601), such as `2030-01-31T12:00:00Z`. Absent if it never expires. */
  declare readonly expiresAt: pulumi.Output<string | undefined>;
  /** Id of the snapshot. */
  declare readonly snapshotId: pulumi.Output<string>;
  /** `false` if a backup schedule created the snapshot. */
  declare readonly manual: pulumi.Output<boolean | undefined>;
  /** Time of creation (ISO 8601, UTC). */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: SnapshotArgs, opts?: pulumi.CustomResourceOptions) {
    super(snapshotDefinition, name, args, opts);
  }

  /** Reads an existing snapshot without managing it. The id has the form `<projectId>/<snapshotId>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Snapshot {
    return Resource.existing(Snapshot, snapshotDefinition, name, id, opts);
  }

  /** Returns whether a value is a `Snapshot`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is Snapshot {
    return Resource.isOfKind(value, "Snapshot");
  }
}

true satisfies SameInputs<SnapshotArgs, (typeof snapshot)["inputs"]>;
