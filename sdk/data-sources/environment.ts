// Generated from api/lookups/environment.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** The variables of a branch. */
export interface EnvironmentVariablesResult {
  /** Value of each variable, by its name. Secret. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Arguments of `getEnvironmentVariables`. */
export interface GetEnvironmentVariablesArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the branch. */
  readonly branchId: string;
  /** Role to connect as. Default: `neondb_owner`, or the only role of the branch that can be meant. */
  readonly roleName?: string;
  /** Database to connect to. Default: `neondb`, or the only database of the branch. */
  readonly databaseName?: string;
  /**
   * Credential for the storage and the gateway: the output `tokenId` of a `Credential`. Default: those that Neon has
   * issued for the branch, or else the one of `neon env pull`.
   */
  readonly tokenId?: string;
}

const getEnvironmentVariablesSource = dataSource<GetEnvironmentVariablesArgs, EnvironmentVariablesResult>(
  "getEnvironmentVariables",
);

/**
 * Reads the environment variables with which an application uses a branch, under the names that `neon env pull` of
 * Neon's command line writes. Hand them to the platform of your application.
 *
 * - `DATABASE_URL` (pooled), `DATABASE_URL_UNPOOLED` and `NEON_BRANCH`; - `NEON_AUTH_BASE_URL` and
 * `NEON_AUTH_JWKS_URL`, if the branch has Neon Auth; - `NEON_DATA_API_URL`, if the database has a Data API; -
 * `NEON_REALTIME_URL` and `NEON_REALTIME_SECRET`, if the branch has Realtime; - `AWS_ENDPOINT_URL_S3`, `AWS_REGION`,
 * `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, if the branch has a bucket; - `NEON_AI_GATEWAY_BASE_URL` and
 * `NEON_AI_GATEWAY_TOKEN`, if it has an AI gateway; - for each function its URL: `NEON_FUNCTION_API_BASE_URL` for the
 * slug `api`.
 *
 * All values are secret. `neon env pull` issues a credential where the branch has none; this function issues nothing,
 * and then leaves the key and the token out: declare a {@link Credential}, and name it with `tokenId`. Fails if the
 * branch has no read-write compute.
 *
 * @example
 * ```ts
 * const at = { projectId: project.id, branchId: project.defaultBranchId };
 * const access = new neon.Credential("application", {
 *   ...at,
 *   scopes: ["storage:read", "storage:write", "ai_gateway:invoke"],
 * });
 * export const variables = neon.getEnvironmentVariablesOutput({ ...at, tokenId: access.tokenId }).variables;
 * ```
 */
export function getEnvironmentVariables(args: GetEnvironmentVariablesArgs, options?: LookupOptions) {
  return getEnvironmentVariablesSource.invoke(args, options);
}

/** Output form of {@link getEnvironmentVariables}: the arguments can be outputs, and the result is secret. */
export function getEnvironmentVariablesOutput(args: Inputs<GetEnvironmentVariablesArgs>, options?: LookupOptions) {
  return getEnvironmentVariablesSource.output(args, options);
}
