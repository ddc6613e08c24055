import * as pulumi from "@pulumi/pulumi";

import { type Organization, organizations } from "../../api/schemas/organization";
import type { Lookup } from "../configured-settings";
import { known } from "../known-members";
import { type Inputs, look, lookOutput, type LookupOptions } from "../lookup";
import { failure } from "../run-error";

/** An organization, as the platform tells it. */
export interface OrganizationResult {
  /** The organization's id, such as `org-quiet-river-302709`. */
  readonly id: string;
  /** The organization's name; names are not unique. */
  readonly name: string;
  /** Its name in addresses. */
  readonly handle?: string;
  /** Its plan, such as `scale`. */
  readonly plan?: string;
  /** How it came to be: `console` for those made by people. */
  readonly managedBy?: string;
  /** When it was made; ISO 8601 in UTC. */
  readonly createdAt: string;
  /** When it last changed; ISO 8601 in UTC. */
  readonly updatedAt?: string;
  /** Whether its projects may be made compliant with HIPAA. */
  readonly allowHipaaProjects?: boolean;
  /** Whether its members need a second factor to sign in. */
  readonly requireMfa?: boolean;
}

/**
 * The organizations of the user whose API key asks; for a key of an organization or of a project only the one that owns
 * it.
 *
 * @example
 * ```ts
 * const names = (await neon.getOrganizations()).map(({ name }) => name);
 * ```
 */
export function getOrganizations(options?: LookupOptions): Promise<OrganizationResult[]> {
  return look(options, async (lookup) => (await listOrganizations(lookup)).map(organizationResult));
}

/** {@link getOrganizations} that waits for the account to be known. */
export function getOrganizationsOutput(options?: LookupOptions): pulumi.Output<OrganizationResult[]> {
  return lookOutput({}, options, (_, given) => getOrganizations(given));
}

/** Which organization to fetch: by its id, or by its name. */
export interface GetOrganizationArgs {
  /** The organization's id. */
  readonly orgId?: string;
  /** The organization's exact name, instead of its id. */
  readonly name?: string;
}

/**
 * One organization. Fails if there is none, or if more than one has that name.
 *
 * @example
 * ```ts
 * const { id } = await neon.getOrganization({ name: "shop" });
 * ```
 */
export function getOrganization(args: GetOrganizationArgs, options?: LookupOptions): Promise<OrganizationResult> {
  return look(options, async (lookup) => organizationResult(await findOrganization(lookup, args)));
}

/** {@link getOrganization} for arguments that are outputs. */
export function getOrganizationOutput(
  args: Inputs<GetOrganizationArgs>,
  options?: LookupOptions,
): pulumi.Output<OrganizationResult> {
  return lookOutput(args, options, getOrganization);
}

async function findOrganization(lookup: Lookup, { orgId, name }: GetOrganizationArgs): Promise<Organization> {
  if ((orgId === undefined) === (name === undefined)) {
    throw failure("getOrganization takes either `orgId` or `name`.");
  }
  if (orgId !== undefined) return lookup.client.send(organizations.get(orgId));
  const [one, ...others] = (await listOrganizations(lookup)).filter((organization) => organization.name === name);
  if (one === undefined) {
    throw failure(`There is no organization named "${name ?? ""}" that this API key sees.`);
  }
  if (others.length === 0) return one;
  const ids = [one, ...others].map(({ id }) => id).join(", ");
  throw failure(`There are ${others.length + 1} organizations named "${name ?? ""}" (${ids}): ask by id.`);
}

async function listOrganizations({ client }: Lookup): Promise<readonly Organization[]> {
  return (await client.send(organizations.list())).organizations;
}

function organizationResult(organization: Organization): OrganizationResult {
  return known<OrganizationResult>(organization, {
    id: true,
    name: true,
    handle: true,
    plan: true,
    managedBy: true,
    createdAt: true,
    updatedAt: true,
    allowHipaaProjects: true,
    requireMfa: true,
  });
}
