// Generated from api/lookups/neon-auth-oauth-provider.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** A service that users of a branch's Neon Auth can sign in with. */
export interface NeonAuthOauthProviderResult {
  /** The service, such as `google`. */
  readonly id: string;
  /** `standard` for an application of your own, `shared` for one of Neon. */
  readonly type: string;
  /** Id of the application at the service. */
  readonly clientId?: string;
}

/** Arguments of `getNeonAuthOauthProviders`. */
export interface GetNeonAuthOauthProvidersArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the branch. */
  readonly branchId: string;
}

const getNeonAuthOauthProvidersSource = dataSource<GetNeonAuthOauthProvidersArgs, NeonAuthOauthProviderResult[]>(
  "getNeonAuthOauthProviders",
);

/**
 * Lists the services that users of a branch's Neon Auth can sign in with, without their secrets. Fails if the branch
 * does not have Neon Auth.
 *
 * Neon API: `GET /projects/{project_id}/branches/{branch_id}/auth/oauth_providers`.
 *
 * @example
 * ```ts
 * const auth = new neon.NeonAuth("sign-in", { projectId: project.id, branchId: project.defaultBranchId });
 * const providers = neon.getNeonAuthOauthProvidersOutput({ projectId: project.id, branchId: auth.branchId });
 * export const shared = providers.apply((all) => all.filter(({ type }) => type === "shared"));
 * ```
 */
export function getNeonAuthOauthProviders(args: GetNeonAuthOauthProvidersArgs, options?: LookupOptions) {
  return getNeonAuthOauthProvidersSource.invoke(args, options);
}

/** Output form of {@link getNeonAuthOauthProviders}: the arguments can be outputs. */
export function getNeonAuthOauthProvidersOutput(args: Inputs<GetNeonAuthOauthProvidersArgs>, options?: LookupOptions) {
  return getNeonAuthOauthProvidersSource.output(args, options);
}
