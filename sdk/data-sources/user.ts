import type * as pulumi from "@pulumi/pulumi";

import { type User, users } from "../../api/schemas/user";
import { known } from "../known-members";
import { look, lookOutput, type LookupOptions } from "../lookup";

/** The user whose API key asks. */
export interface CurrentUserResult {
  /** The user's id, a UUID. */
  readonly id: string;
  /** Mail address of the account. */
  readonly email: string;
  /** First name. */
  readonly name: string;
  /** Last name. */
  readonly lastName?: string;
  /** Address of a picture; can be empty. */
  readonly image?: string;
  /** The account's plan, such as `free_v3`. */
  readonly plan?: string;
  /** How many projects the account may have. */
  readonly projectsLimit?: number;
  /** How many branches a project of it may have. */
  readonly branchesLimit?: number;
  /** Largest size of a compute, in CU; 0: no limit. */
  readonly maxAutoscalingLimit?: number;
  /** For how many seconds computes may be active in a billing period; 0: no limit. */
  readonly activeSecondsLimit?: number;
  /** How many compute seconds may be used in a billing period; 0: no limit. */
  readonly computeSecondsLimit?: number;
}

/**
 * The user whose API key asks. An organization's key or a project's belongs to no user: then this fails.
 *
 * @example
 * ```ts
 * const { email } = await neon.getCurrentUser();
 * ```
 */
export function getCurrentUser(options?: LookupOptions): Promise<CurrentUserResult> {
  return look(options, async ({ client }) => userResult(await client.send(users.me())));
}

/** {@link getCurrentUser} that waits for the account to be known. */
export function getCurrentUserOutput(options?: LookupOptions): pulumi.Output<CurrentUserResult> {
  return lookOutput({}, options, (_, given) => getCurrentUser(given));
}

function userResult(user: User): CurrentUserResult {
  return known<CurrentUserResult>(user, {
    id: true,
    email: true,
    name: true,
    lastName: true,
    image: true,
    plan: true,
    projectsLimit: true,
    branchesLimit: true,
    maxAutoscalingLimit: true,
    activeSecondsLimit: true,
    computeSecondsLimit: true,
  });
}
