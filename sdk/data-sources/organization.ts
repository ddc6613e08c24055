// Generated from api/lookups/organization.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions, NoArgs } from "../lookup-options";

/** An organization. */
export interface OrganizationResult {
  /** Id of the organization, such as `org-quiet-river-302709`. */
  readonly id: string;
  /** Name of the organization. Names are not unique. */
  readonly name: string;
  /** Name of the organization in URLs. */
  readonly handle: string;
  /** Plan of the organization, such as `scale`. */
  readonly plan: string;
  /** The manager of the organization. `console`: people, in Neon's console. */
  readonly managedBy?: string;
  /** Time of creation (ISO 8601, UTC). */
  readonly createdAt: string;
  /** Time of the last change (ISO 8601, UTC). */
  readonly updatedAt?: string;
  /** Whether projects of the organization can enable HIPAA compliance. */
  readonly allowHipaaProjects?: boolean;
  /** Whether members must sign in with a second factor. */
  readonly requireMfa?: boolean;
}

const getOrganizationsSource = dataSource<NoArgs, OrganizationResult[]>("getOrganizations");

/**
 * Lists the organizations of the user who owns the API key in use. For an API key of an organization or a project, the
 * list contains only the organization that owns the key.
 *
 * Neon API: `GET /users/me/organizations`.
 *
 * @example
 * ```ts
 * const organizations = neon.getOrganizationsOutput();
 * export const names = organizations.apply((all) => all.map(({ name }) => name));
 * ```
 */
export function getOrganizations(options?: LookupOptions) {
  return getOrganizationsSource.invoke({}, options);
}

/** Output form of {@link getOrganizations}: it waits until the provider's settings are known. */
export function getOrganizationsOutput(options?: LookupOptions) {
  return getOrganizationsSource.output({}, options);
}

/** Arguments of `getOrganization`. Exactly one of `orgId` and `name` is required. */
export interface GetOrganizationArgs {
  /** Id of the organization. Conflicts with `name`. */
  readonly orgId?: string;
  /** Exact name of the organization. Conflicts with `orgId`. */
  readonly name?: string;
}

const getOrganizationSource = dataSource<GetOrganizationArgs, OrganizationResult>("getOrganization");

/**
 * Reads an organization by its id or its name.
 *
 * Fails if no organization, or more than one, has the name.
 *
 * Neon API: `GET /organizations/{org_id}`, `GET /users/me/organizations`.
 *
 * @example
 * ```ts
 * export const orgId = neon.getOrganizationOutput({ name: "shop" }).id;
 * ```
 */
export function getOrganization(args: GetOrganizationArgs, options?: LookupOptions) {
  return getOrganizationSource.invoke(args, options);
}

/** Output form of {@link getOrganization}: the arguments can be outputs. */
export function getOrganizationOutput(args: Inputs<GetOrganizationArgs>, options?: LookupOptions) {
  return getOrganizationSource.output(args, options);
}
