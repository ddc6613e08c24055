import * as pulumi from "@pulumi/pulumi";

import type { SnapshotInputs, SnapshotOutputs } from "../../provider/resources/snapshot";
import { segmentsOf } from "../id";
import { Resource, type ResourceClass, typeToken } from "../resource";
import type { SameInputs, SameNames } from "../type-equality";

/** What a program declares of a snapshot. */
export interface SnapshotArgs {
  /** The project it belongs to. A change replaces the snapshot. */
  readonly projectId: pulumi.Input<string>;
  /** The branch to take it of; the platform takes snapshots of root branches only. A change replaces the snapshot. */
  readonly branchId: pulumi.Input<string>;
  /** Name. Default: the resource's logical name. Changed in place. */
  readonly name?: pulumi.Input<string>;
  /** Where in the branch's log to take it, such as `0/1DE2850`, instead of `timestamp`. Default: its end. A change replaces the snapshot. */
  readonly lsn?: pulumi.Input<string>;
  /** When in the branch's history to take it, such as `2030-01-31T12:00:00Z`, instead of `lsn`. Default: now. A change replaces the snapshot. */
  readonly timestamp?: pulumi.Input<string>;
  /**
   * When the platform deletes it by itself, such as `2030-01-31T12:00:00Z`. Default: never. A change replaces the
   * snapshot; leaving it out later changes nothing.
   */
  readonly expiresAt?: pulumi.Input<string>;
  /**
   * Takes over a snapshot instead of taking one: that of this id, or with `true` that of this name if just one in the
   * project has it. Setting or removing it later changes nothing.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const outputs = {
  projectId: true,
  branchId: true,
  name: true,
  lsn: true,
  timestamp: true,
  expiresAt: true,
  snapshotId: true,
  manual: true,
  createdAt: true,
} as const;
const self: ResourceClass = { kind: "Snapshot", outputs: Object.keys(outputs), secrets: [] };

/**
 * What a branch holds at some moment, kept for as long as the resource. A snapshot that is replaced is taken again, of
 * what the branch holds then, and the old one goes: to take further ones declare further resources.
 *
 * @example
 * ```ts
 * new neon.Snapshot("before-release-7", { projectId: project.id, branchId: project.defaultBranchId });
 * ```
 */
export class Snapshot extends Resource {
  /** The project it belongs to. */
  declare readonly projectId: pulumi.Output<string>;
  /** The branch it was taken of. */
  declare readonly branchId: pulumi.Output<string | undefined>;
  /** Its name. */
  declare readonly name: pulumi.Output<string>;
  /** Where in the branch's log it was taken. */
  declare readonly lsn: pulumi.Output<string | undefined>;
  /** When in the branch's history it was taken; ISO 8601 in UTC. */
  declare readonly timestamp: pulumi.Output<string | undefined>;
  /** When the platform deletes it by itself; ISO 8601 in UTC. */
  declare readonly expiresAt: pulumi.Output<string | undefined>;
  /** The snapshot's id. */
  declare readonly snapshotId: pulumi.Output<string>;
  /** False for those that a backup schedule has taken. */
  declare readonly manual: pulumi.Output<boolean | undefined>;
  /** When it was made; ISO 8601 in UTC. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * @param name the resource's logical name
   * @param args what to declare
   * @param opts Pulumi's own options; `import` is refused, see `adopt`
   */
  constructor(name: string, args: SnapshotArgs, opts?: pulumi.CustomResourceOptions) {
    super(self, name, args, opts);
    // The id is known even in the preview of a change, where other outputs are not.
    this.snapshotId = this.id.apply((id) => decodeURIComponent(id.slice(id.lastIndexOf("/") + 1)));
  }

  /** A snapshot that exists, without managing it. Its id is that of the project and that of the snapshot, with a slash between. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Snapshot {
    // What it was taken of is told by the platform.
    const args: Partial<SnapshotArgs> = { projectId: segmentsOf(id, "<project>/<snapshot>")(0) };
    return new Snapshot(name, args as SnapshotArgs, { ...opts, id });
  }

  /** Whether this is a snapshot, even one made by another copy of this package. */
  static override isInstance(value: unknown): value is Snapshot {
    return Resource.isOfType(value, typeToken("Snapshot"));
  }
}

true satisfies SameInputs<SnapshotArgs, SnapshotInputs>;
true satisfies SameNames<keyof typeof outputs, SnapshotOutputs>;
