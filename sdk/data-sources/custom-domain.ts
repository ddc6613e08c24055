// Generated from api/lookups/custom-domain.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** A custom domain of a branch. */
export interface CustomDomainResult {
  /** The domain, such as `api.example.com`. */
  readonly domain: string;
  /** The target of the domain: the slug of a function. */
  readonly entityId: string;
  /** The type of what the domain leads to. Neon knows `function` only. */
  readonly entityType: string;
  /**
   * The target that the domain's CNAME record has to name. The record must be for DNS only, without a proxy. Empty if
   * the region has no custom domains.
   */
  readonly cnameTarget: string;
  /** `pending`, `active` or `error`. Absent right after the registration. */
  readonly status?: string;
  /** Why the status is `error`, such as `cname-not-pointing-at-edge`. Empty if nothing is wrong. */
  readonly statusReason?: string;
}

/** Arguments of `getCustomDomains`. */
export interface GetCustomDomainsArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the branch. */
  readonly branchId: string;
}

const getCustomDomainsSource = dataSource<GetCustomDomainsArgs, CustomDomainResult[]>("getCustomDomains");

/**
 * Lists the custom domains of a branch, with their status. Neon's API for it is in beta, and some projects do not have
 * it.
 *
 * Neon API: `GET /projects/{project_id}/branches/{branch_id}/custom-domains`.
 *
 * @example
 * ```ts
 * const domains = neon.getCustomDomainsOutput({ projectId: project.id, branchId: project.defaultBranchId });
 * export const wrong = domains.apply((all) => all.filter(({ status }) => status === "error"));
 * ```
 */
export function getCustomDomains(args: GetCustomDomainsArgs, options?: LookupOptions) {
  return getCustomDomainsSource.invoke(args, options);
}

/** Output form of {@link getCustomDomains}: the arguments can be outputs. */
export function getCustomDomainsOutput(args: Inputs<GetCustomDomainsArgs>, options?: LookupOptions) {
  return getCustomDomainsSource.output(args, options);
}
