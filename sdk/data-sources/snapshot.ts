import type * as pulumi from "@pulumi/pulumi";

import { snapshots } from "../../api/schemas/snapshot";
import { known } from "../known-members";
import { type Inputs, look, lookOutput, type LookupOptions } from "../lookup";
import { assertNeeded } from "../required-arguments";

/** A snapshot, as the platform tells it. */
export interface SnapshotResult {
  /** The snapshot's id. */
  readonly id: string;
  /** Its name; several can have the same. */
  readonly name: string;
  /** The branch it was taken of. */
  readonly sourceBranchId?: string;
  /** Where in the branch's log it was taken. */
  readonly lsn?: string;
  /** When in the branch's history it was taken; ISO 8601 in UTC. */
  readonly timestamp?: string;
  /** When it was made; ISO 8601 in UTC. */
  readonly createdAt: string;
  /** When the platform deletes it by itself; ISO 8601 in UTC. */
  readonly expiresAt?: string;
  /** False for those that a backup schedule has taken. */
  readonly manual?: boolean;
}

/** Which snapshots to list. */
export interface GetSnapshotsArgs {
  /** The project whose snapshots to list. */
  readonly projectId: string;
  /** The branch they were taken of. Default: any. */
  readonly branchId?: string;
}

/**
 * All snapshots of a project, or of one of its branches.
 *
 * @example
 * ```ts
 * const backups = (await neon.getSnapshots({ projectId: "spring-example-302709" })).filter(({ manual }) => !manual);
 * ```
 */
export function getSnapshots(args: GetSnapshotsArgs, options?: LookupOptions): Promise<SnapshotResult[]> {
  return look(options, async ({ client }) => {
    assertNeeded("getSnapshots", args, "projectId");
    const { snapshots: all } = await client.send(snapshots.list(args.projectId));
    return all
      .filter(({ source_branch_id }) => args.branchId === undefined || source_branch_id === args.branchId)
      .map((one) =>
        known<SnapshotResult>(one, {
          id: true,
          name: true,
          sourceBranchId: true,
          lsn: true,
          timestamp: true,
          createdAt: true,
          expiresAt: true,
          manual: true,
        }),
      );
  });
}

/** {@link getSnapshots} for arguments that are outputs. */
export function getSnapshotsOutput(
  args: Inputs<GetSnapshotsArgs>,
  options?: LookupOptions,
): pulumi.Output<SnapshotResult[]> {
  return lookOutput(args, options, getSnapshots);
}
