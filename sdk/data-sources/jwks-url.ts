// Generated from api/lookups/jwks-url.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** A JWKS URL of a project. */
export interface JwksUrlResult {
  /** Id of the JWKS URL. */
  readonly id: string;
  /** Project of the JWKS URL. */
  readonly projectId: string;
  /** Branch that the JWKS URL applies to. Absent: all branches. */
  readonly branchId?: string;
  /** URL of the key set. */
  readonly jwksUrl: string;
  /** Name of the authentication provider that issues the tokens. */
  readonly providerName: string;
  /** Audience that a token must have. */
  readonly jwtAudience?: string;
  /** Postgres roles that a token can use. */
  readonly roleNames?: string[];
  /** Time of creation (ISO 8601, UTC). */
  readonly createdAt: string;
}

/** Arguments of `getJwks`. */
export interface GetJwksArgs {
  /** Project whose JWKS URLs to list. */
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
 * const issuers = (await neon.getJwks({ projectId: "spring-example-302709" })).map(({ providerName }) => providerName);
 * ```
 */
export function getJwks(args: GetJwksArgs, options?: LookupOptions) {
  return getJwksSource.invoke(args, options);
}

/** Output form of {@link getJwks}: the arguments can be outputs. */
export function getJwksOutput(args: Inputs<GetJwksArgs>, options?: LookupOptions) {
  return getJwksSource.output(args, options);
}
