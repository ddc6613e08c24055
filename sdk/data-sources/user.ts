// Generated from api/lookups/user.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { LookupOptions, NoArgs } from "../lookup-options";

/** The user who owns the API key in use. */
export interface CurrentUserResult {
  /** Id of the user, a UUID. */
  readonly id: string;
  /** E-mail address of the user. */
  readonly email: string;
  /** First name. */
  readonly name: string;
  /** Last name. */
  readonly lastName?: string;
  /** Plan of the account, such as `free_v3`. */
  readonly plan?: string;
  /** URL of the user's picture. Can be empty. */
  readonly image?: string;
  /** Maximum number of projects in the account. */
  readonly projectsLimit?: number;
  /** Maximum number of branches in a project. */
  readonly branchesLimit?: number;
  /** Maximum size of a compute, in compute units (CU). 0: no limit. */
  readonly maxAutoscalingLimit?: number;
  /** Active time of computes per billing period, in seconds. 0: no limit. */
  readonly activeSecondsLimit?: number;
  /** Compute time per billing period, in seconds. 0: no limit. */
  readonly computeSecondsLimit?: number;
}

const getCurrentUserSource = dataSource<NoArgs, CurrentUserResult>("getCurrentUser");

/**
 * Reads the user who owns the API key in use.
 *
 * Fails for an API key of an organization or a project, which belongs to no user.
 *
 * Neon API: `GET /users/me`.
 *
 * @example
 * ```ts
 * export const owner = neon.getCurrentUserOutput().email;
 * ```
 */
export function getCurrentUser(options?: LookupOptions) {
  return getCurrentUserSource.invoke({}, options);
}

/** Output form of {@link getCurrentUser}: it waits until the provider's settings are known. */
export function getCurrentUserOutput(options?: LookupOptions) {
  return getCurrentUserSource.output({}, options);
}
