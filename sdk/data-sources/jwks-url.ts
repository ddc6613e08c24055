// Generated from api/lookups/jwks-url.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** A JWKS URL of a project. */
export interface JwksUrlResult {
  /** Id of the JWKS URL. */
  readonly id: string;
  /** Id of the project. */
  readonly projectId: string;
  /** URL of the key set. */
  readonly jwksUrl: string;
  /** Name of the authentication provider that issues the tokens, such as `Clerk` or `Auth0`. */
  readonly providerName: string;
  /** Id of the branch that the JWKS URL applies to. Absent if it applies to all branches. */
  readonly branchId?: string;
  /** Audience that a token must have. Absent if a token can have any audience. */
  readonly jwtAudience?: string;
  /**
   * Names of the Postgres roles that a token can use.
   *
   * @deprecated Neon uses it only for its older row-level security.
   */
  readonly roleNames?: string[];
  /** Time of creation (ISO 8601, UTC). */
  readonly createdAt: string;
}

/** Arguments of `getJwks`. */
export interface GetJwksArgs {
  /** Id of the project. */
  readonly projectId: string;
}

const getJwksSource = dataSource<GetJwksArgs, JwksUrlResult[]>("getJwks");

/**
 * Lists the JWKS URLs of a project, whose keys verify the tokens (JWT) of its users.
 *
 * Neon API: `GET /projects/{project_id}/jwks`.
 *
 * @example
 * ```ts
 * const jwks = neon.getJwksOutput({ projectId: project.id });
 * export const issuers = jwks.apply((all) => all.map(({ providerName }) => providerName));
 * ```
 */
export function getJwks(args: GetJwksArgs, options?: LookupOptions) {
  return getJwksSource.invoke(args, options);
}

/** Output form of {@link getJwks}: the arguments can be outputs. */
export function getJwksOutput(args: Inputs<GetJwksArgs>, options?: LookupOptions) {
  return getJwksSource.output(args, options);
}
