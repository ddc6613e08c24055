// Generated from api/lookups/project-permission.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** Access of an account to a project that is shared with it. */
export interface PermissionResult {
  /** Id of the permission. */
  readonly id: string;
  /** E-mail address of the account that the project is shared with. */
  readonly grantedToEmail: string;
  /** Time at which access was granted (ISO 8601, UTC). */
  readonly grantedAt: string;
  /** Time at which access was revoked (ISO 8601, UTC). Absent if it is not revoked. */
  readonly revokedAt?: string;
}

/** Arguments of `getPermissions`. */
export interface GetPermissionsArgs {
  /** Id of the project. */
  readonly projectId: string;
}

const getPermissionsSource = dataSource<GetPermissionsArgs, PermissionResult[]>("getPermissions");

/**
 * Lists the accounts that a project is shared with. Members of its organization are not included.
 *
 * Neon API: `GET /projects/{project_id}/permissions`.
 *
 * @example
 * ```ts
 * const permissions = neon.getPermissionsOutput({ projectId: project.id });
 * export const guests = permissions.apply((all) =>
 *   all.filter(({ revokedAt }) => revokedAt === undefined).map(({ grantedToEmail }) => grantedToEmail),
 * );
 * ```
 */
export function getPermissions(args: GetPermissionsArgs, options?: LookupOptions) {
  return getPermissionsSource.invoke(args, options);
}

/** Output form of {@link getPermissions}: the arguments can be outputs. */
export function getPermissionsOutput(args: Inputs<GetPermissionsArgs>, options?: LookupOptions) {
  return getPermissionsSource.output(args, options);
}
