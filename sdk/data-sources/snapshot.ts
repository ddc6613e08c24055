// Generated from api/lookups/snapshot.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** A snapshot of a branch. */
export interface SnapshotResult {
  /** Id of the snapshot. */
  readonly id: string;
  /** Name of the snapshot, unique in the project. */
  readonly name: string;
  /** Another name, which Neon generates and which never changes. Neon's CLI finds the snapshot by it. */
  readonly slug?: string;
  /** Id of the branch that the snapshot was created from. */
  readonly sourceBranchId?: string;
  /** Log sequence number of the branch at which the snapshot is taken, such as `0/1DE2850`. */
  readonly lsn?: string;
  /** Time in the branch's history at which the snapshot is taken (ISO 8601), such as `2030-01-31T12:00:00Z`. */
  readonly timestamp?: string;
  /** Time of creation (ISO 8601, UTC). */
  readonly createdAt: string;
  /** Time at which Neon deletes the snapshot (ISO 8601), such as `2030-01-31T12:00:00Z`. Absent if it never expires. */
  readonly expiresAt?: string;
  /** `false` if a backup schedule created the snapshot. */
  readonly manual?: boolean;
}

/** Arguments of `getSnapshots`. */
export interface GetSnapshotsArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Branch whose snapshots to list. Default: all branches. */
  readonly branchId?: string;
}

const getSnapshotsSource = dataSource<GetSnapshotsArgs, SnapshotResult[]>("getSnapshots");

/**
 * Lists the snapshots of a project or of one of its branches.
 *
 * Neon API: `GET /projects/{project_id}/snapshots`.
 *
 * @example
 * ```ts
 * const snapshots = neon.getSnapshotsOutput({ projectId: project.id });
 * export const scheduled = snapshots.apply((all) => all.filter(({ manual }) => !manual));
 * ```
 */
export function getSnapshots(args: GetSnapshotsArgs, options?: LookupOptions) {
  return getSnapshotsSource.invoke(args, options);
}

/** Output form of {@link getSnapshots}: the arguments can be outputs. */
export function getSnapshotsOutput(args: Inputs<GetSnapshotsArgs>, options?: LookupOptions) {
  return getSnapshotsSource.output(args, options);
}
