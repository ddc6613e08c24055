// Generated from api/lookups/neon-auth-oauth-client.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** An application that the users of a branch's Neon Auth can sign in to. */
export interface NeonAuthOauthClientResult {
  /** Id of the client, which Neon assigns. */
  readonly clientId: string;
  /** Name of the client, which the consent page can show. Names are not unique. */
  readonly name: string;
  /**
   * `confidential` for an application on a server, which has a secret; `public` for one in a browser or on a device,
   * which cannot keep a secret.
   */
  readonly type: string;
  /** URLs that users can be sent back to, in any order. */
  readonly redirectUris: string[];
  /** Identifiers of the APIs and the MCP server that the client can get tokens for, in any order. */
  readonly resources: string[];
  /** Whether users are not asked for consent. */
  readonly skipConsent: boolean;
  /** Whether the client is disabled. */
  readonly disabled: boolean;
  /** Time of creation (ISO 8601, UTC). */
  readonly createdAt?: string;
}

/** Arguments of `getNeonAuthOauthClients`. */
export interface GetNeonAuthOauthClientsArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the branch. */
  readonly branchId: string;
}

const getNeonAuthOauthClientsSource = dataSource<GetNeonAuthOauthClientsArgs, NeonAuthOauthClientResult[]>(
  "getNeonAuthOauthClients",
);

/**
 * Lists the applications that the users of a branch's Neon Auth can sign in to, without their secrets. Fails if the
 * branch does not have Neon Auth.
 *
 * Neon API: `GET /projects/{project_id}/branches/{branch_id}/auth/oauth-provider/clients`.
 *
 * @example
 * ```ts
 * const auth = new neon.NeonAuth("sign-in", { projectId: project.id, branchId: project.defaultBranchId });
 * const clients = neon.getNeonAuthOauthClientsOutput({ projectId: project.id, branchId: auth.branchId });
 * export const disabled = clients.apply((all) => all.filter((client) => client.disabled));
 * ```
 */
export function getNeonAuthOauthClients(args: GetNeonAuthOauthClientsArgs, options?: LookupOptions) {
  return getNeonAuthOauthClientsSource.invoke(args, options);
}

/** Output form of {@link getNeonAuthOauthClients}: the arguments can be outputs. */
export function getNeonAuthOauthClientsOutput(args: Inputs<GetNeonAuthOauthClientsArgs>, options?: LookupOptions) {
  return getNeonAuthOauthClientsSource.output(args, options);
}
