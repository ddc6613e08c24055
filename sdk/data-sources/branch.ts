// Generated from api/lookups/branch.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** An action that Neon refuses on a branch. */
export interface BranchRestrictedAction {
  /** Action, such as `restore` or `delete-rw-endpoint`. Newer versions of the API can return other values. */
  readonly name: string;
  /** Why Neon refuses the action. */
  readonly reason: string;
}

/** The deletion of a branch that can be recovered. */
export interface BranchRecovery {
  /** Time of its deletion (ISO 8601, UTC). */
  readonly deletedAt: string;
  /** Until when the branch can be recovered (ISO 8601, UTC). */
  readonly recoverableUntil: string;
  /** `user` if somebody deleted the branch, `ttl` if it expired. */
  readonly deletionMethod: string;
}

/** A branch. */
export interface BranchResult {
  /** Id of the branch, such as `br-wispy-meadow-118737`. */
  readonly id: string;
  /** Id of the project. */
  readonly projectId: string;
  /** Name of the branch, unique in the project. */
  readonly name: string;
  /** Id of the parent branch. Absent for a root branch. */
  readonly parentId?: string;
  /** Log sequence number of the parent at which the branch starts, such as `0/1DE2850`. */
  readonly parentLsn?: string;
  /** Time in the parent's history at which the branch starts (ISO 8601), such as `2030-01-31T12:00:00Z`. */
  readonly parentTimestamp?: string;
  /** `init`, `resetting`, `ready` or `archived`. Newer versions of the API can return other values. */
  readonly currentState: string;
  /** Whether this is the project's default branch. */
  readonly default?: boolean;
  /** Whether the branch is protected from deletion. */
  readonly protected?: boolean;
  /** Time at which Neon deletes the branch (ISO 8601), such as `2030-01-31T12:00:00Z`. Absent if it never expires. */
  readonly expiresAt?: string;
  /**
   * Time from when the expiration was last set until the branch expires, in seconds. A reset from the parent begins it
   * again. Absent if the branch never expires.
   */
  readonly ttlIntervalSeconds?: number;
  /** Client that created the branch, such as `console`. */
  readonly creationSource?: string;
  /** Actions that Neon refuses on the branch at present. Absent if there are none. */
  readonly restrictedActions?: BranchRestrictedAction[];
  /** Deletion of the branch. Absent if the branch is not deleted. */
  readonly recovery?: BranchRecovery;
  /** Time of creation (ISO 8601, UTC). */
  readonly createdAt: string;
  /** Time of the last change (ISO 8601, UTC). */
  readonly updatedAt?: string;
  /** Annotations of the branch, without the provider's own. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** Number of branches. */
export interface BranchCountResult {
  /** Number of branches. */
  readonly count: number;
}

/** Arguments of `getBranches`. */
export interface GetBranchesArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Text that the name or the id contains. Default: all branches. */
  readonly search?: string;
  /**
   * Whether to list the deleted branches that can be recovered, too. In preview: Neon ignores it in most accounts.
   * Default: `false`.
   */
  readonly includeDeleted?: boolean;
}

const getBranchesSource = dataSource<GetBranchesArgs, BranchResult[]>("getBranches");

/**
 * Lists the branches of a project, newest first. All pages are read.
 *
 * Neon API: `GET /projects/{project_id}/branches`.
 *
 * @example
 * ```ts
 * const previews = neon.getBranchesOutput({ projectId: project.id, search: "pr-" });
 * export const names = previews.apply((branches) => branches.map(({ name }) => name));
 * ```
 */
export function getBranches(args: GetBranchesArgs, options?: LookupOptions) {
  return getBranchesSource.invoke(args, options);
}

/** Output form of {@link getBranches}: the arguments can be outputs. */
export function getBranchesOutput(args: Inputs<GetBranchesArgs>, options?: LookupOptions) {
  return getBranchesSource.output(args, options);
}

/** Arguments of `getBranchCount`. */
export interface GetBranchCountArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Counts branches whose name contains this text. Default: all. */
  readonly search?: string;
}

const getBranchCountSource = dataSource<GetBranchCountArgs, BranchCountResult>("getBranchCount");

/**
 * Counts the branches of a project.
 *
 * Neon API: `GET /projects/{project_id}/branches/count`.
 *
 * @example
 * ```ts
 * export const previews = neon.getBranchCountOutput({ projectId: project.id, search: "pr-" }).count;
 * ```
 */
export function getBranchCount(args: GetBranchCountArgs, options?: LookupOptions) {
  return getBranchCountSource.invoke(args, options);
}

/** Output form of {@link getBranchCount}: the arguments can be outputs. */
export function getBranchCountOutput(args: Inputs<GetBranchCountArgs>, options?: LookupOptions) {
  return getBranchCountSource.output(args, options);
}

/** Arguments of `getBranch`. Exactly one of `branchId` and `name` is required. */
export interface GetBranchArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the branch. Conflicts with `name`. */
  readonly branchId?: string;
  /** Exact name of the branch. Conflicts with `branchId`. */
  readonly name?: string;
}

const getBranchSource = dataSource<GetBranchArgs, BranchResult>("getBranch");

/**
 * Reads a branch by its id or its name.
 *
 * Fails if the branch does not exist. It never returns the default branch or a branch with a similar name instead.
 *
 * Neon API: `GET /projects/{project_id}/branches/{branch_id}`, `GET /projects/{project_id}/branches`.
 *
 * @example
 * ```ts
 * const main = neon.getBranchOutput({ projectId: project.id, name: "main" });
 * export const createdAt = main.createdAt;
 * ```
 */
export function getBranch(args: GetBranchArgs, options?: LookupOptions) {
  return getBranchSource.invoke(args, options);
}

/** Output form of {@link getBranch}: the arguments can be outputs. */
export function getBranchOutput(args: Inputs<GetBranchArgs>, options?: LookupOptions) {
  return getBranchSource.output(args, options);
}
