// Generated from api/lookups/credential.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** A credential of a branch, without its secrets. */
export interface CredentialResult {
  /** Id of the credential; the access key id for S3. */
  readonly tokenId: string;
  /** Short form of the id, as Neon's console shows it. */
  readonly tokenIdShort?: string;
  /** Name of the credential. Names are not unique. */
  readonly name?: string;
  /** The permissions of the credential. */
  readonly scopes: string[];
  /** Time of creation (ISO 8601, UTC). */
  readonly createdAt: string;
  /** Time at which the credential expires (ISO 8601, UTC). Absent if it never expires. */
  readonly expiresAt?: string;
}

/** Arguments of `getCredentials`. */
export interface GetCredentialsArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the branch. */
  readonly branchId: string;
}

const getCredentialsSource = dataSource<GetCredentialsArgs, CredentialResult[]>("getCredentials");

/**
 * Lists the credentials of a branch without their secrets. Revoked and expired ones are not included. Neon's API for it
 * is in beta.
 *
 * Neon API: `GET /projects/{project_id}/branches/{branch_id}/credentials`.
 *
 * @example
 * ```ts
 * const credentials = neon.getCredentialsOutput({ projectId: project.id, branchId: project.defaultBranchId });
 * export const writers = credentials.apply((all) => all.filter(({ scopes }) => scopes.includes("storage:write")));
 * ```
 */
export function getCredentials(args: GetCredentialsArgs, options?: LookupOptions) {
  return getCredentialsSource.invoke(args, options);
}

/** Output form of {@link getCredentials}: the arguments can be outputs. */
export function getCredentialsOutput(args: Inputs<GetCredentialsArgs>, options?: LookupOptions) {
  return getCredentialsSource.output(args, options);
}
