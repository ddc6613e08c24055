// Generated from api/lookups/neon-auth-trusted-domain.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** A domain that users of a branch's Neon Auth can be redirected to. */
export interface NeonAuthTrustedDomainResult {
  /** The domain as a URI with its scheme, such as `https://shop.example.com`. */
  readonly domain: string;
  /** The provider of the branch's Neon Auth. */
  readonly authProvider: string;
}

/** Arguments of `getNeonAuthTrustedDomains`. */
export interface GetNeonAuthTrustedDomainsArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the branch. */
  readonly branchId: string;
}

const getNeonAuthTrustedDomainsSource = dataSource<GetNeonAuthTrustedDomainsArgs, NeonAuthTrustedDomainResult[]>(
  "getNeonAuthTrustedDomains",
);

/**
 * Lists the domains that users of a branch's Neon Auth can be redirected to. Fails if the branch does not have Neon
 * Auth.
 *
 * Neon API: `GET /projects/{project_id}/branches/{branch_id}/auth/domains`.
 *
 * @example
 * ```ts
 * const auth = new neon.NeonAuth("sign-in", { projectId: project.id, branchId: project.defaultBranchId });
 * const domains = neon.getNeonAuthTrustedDomainsOutput({ projectId: project.id, branchId: auth.branchId });
 * export const names = domains.apply((all) => all.map(({ domain }) => domain));
 * ```
 */
export function getNeonAuthTrustedDomains(args: GetNeonAuthTrustedDomainsArgs, options?: LookupOptions) {
  return getNeonAuthTrustedDomainsSource.invoke(args, options);
}

/** Output form of {@link getNeonAuthTrustedDomains}: the arguments can be outputs. */
export function getNeonAuthTrustedDomainsOutput(args: Inputs<GetNeonAuthTrustedDomainsArgs>, options?: LookupOptions) {
  return getNeonAuthTrustedDomainsSource.output(args, options);
}
