// Generated from api/lookups/neon-auth.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** The Neon Auth integration of a branch. */
export interface NeonAuthResult {
  /** Id of the branch. */
  readonly branchId: string;
  /** The provider of the sign-in, such as `better_auth`. */
  readonly authProvider: string;
  /** Id of the project at the provider of the sign-in. */
  readonly authProviderProjectId: string;
  /** The owner of the project at the provider: `neon` or `user`. */
  readonly ownedBy: string;
  /** URL that the application sends its users' requests to: its `NEON_AUTH_BASE_URL`. */
  readonly baseUrl?: string;
  /** URL of the keys that verify the users' tokens (JWT). */
  readonly jwksUrl: string;
  /** Name of the application in e-mails to its users. */
  readonly name?: string;
  /** Time of creation (ISO 8601, UTC). */
  readonly createdAt: string;
  /** Name of the database that has the schema `neon_auth` with the users. */
  readonly databaseName: string;
}

/** Arguments of `getNeonAuth`. */
export interface GetNeonAuthArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the branch. */
  readonly branchId: string;
}

const getNeonAuthSource = dataSource<GetNeonAuthArgs, NeonAuthResult>("getNeonAuth");

/**
 * Reads the Neon Auth integration of a branch, such as one that a branch has inherited from its parent. Fails if the
 * branch does not have Neon Auth.
 *
 * Neon API: `GET /projects/{project_id}/branches/{branch_id}/auth`.
 *
 * @example
 * ```ts
 * const auth = new neon.NeonAuth("sign-in", { projectId: project.id, branchId: project.defaultBranchId });
 * const found = neon.getNeonAuthOutput({ projectId: project.id, branchId: auth.branchId });
 * export const baseUrl = found.baseUrl;
 * ```
 */
export function getNeonAuth(args: GetNeonAuthArgs, options?: LookupOptions) {
  return getNeonAuthSource.invoke(args, options);
}

/** Output form of {@link getNeonAuth}: the arguments can be outputs. */
export function getNeonAuthOutput(args: Inputs<GetNeonAuthArgs>, options?: LookupOptions) {
  return getNeonAuthSource.output(args, options);
}
