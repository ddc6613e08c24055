// Generated from api/lookups/role.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** A Postgres role, without its password. */
export interface RoleResult {
  /** Id of the branch. */
  readonly branchId: string;
  /** Name of the role, unique on the branch. */
  readonly name: string;
  /** Whether Neon manages the role. */
  readonly protected?: boolean;
  /** `password`, `oauth` or `no_login`. Newer versions of the API can return other values. */
  readonly authenticationMethod?: string;
  /** Time of creation (ISO 8601, UTC). */
  readonly createdAt: string;
  /** Time of the last change (ISO 8601, UTC). */
  readonly updatedAt?: string;
}

/** Arguments of `getRoles`. */
export interface GetRolesArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the branch. */
  readonly branchId: string;
}

const getRolesSource = dataSource<GetRolesArgs, RoleResult[]>("getRoles");

/**
 * Lists the Postgres roles of a branch.
 *
 * Fails if the branch does not exist or cannot be read. It never returns an empty list instead.
 *
 * Neon API: `GET /projects/{project_id}/branches/{branch_id}/roles`.
 *
 * @example
 * ```ts
 * const roles = neon.getRolesOutput({ projectId: project.id, branchId: project.defaultBranchId });
 * export const names = roles.apply((all) => all.map(({ name }) => name));
 * ```
 */
export function getRoles(args: GetRolesArgs, options?: LookupOptions) {
  return getRolesSource.invoke(args, options);
}

/** Output form of {@link getRoles}: the arguments can be outputs. */
export function getRolesOutput(args: Inputs<GetRolesArgs>, options?: LookupOptions) {
  return getRolesSource.output(args, options);
}
