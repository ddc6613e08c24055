// Generated from api/lookups/organization-member.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** A member of an organization. */
export interface OrganizationMemberResult {
  /** Id of the member in the organization. */
  readonly id: string;
  /** Id of the member's account. */
  readonly userId: string;
  /** Role in the organization. */
  readonly role: string;
  /** Time at which the member joined (ISO 8601, UTC). */
  readonly joinedAt?: string;
  /** E-mail address of the member. */
  readonly email: string;
  /** Whether the member signs in with a second factor. */
  readonly hasMfa?: boolean;
}

/** An invitation to an organization. */
export interface OrganizationInvitationResult {
  /** Id of the invitation. */
  readonly id: string;
  /** E-mail address of the invited person. */
  readonly email: string;
  /** Role that the person gets. */
  readonly role: string;
  /** Id of the user who has invited the person. */
  readonly invitedBy: string;
  /** Time of the invitation (ISO 8601, UTC). */
  readonly invitedAt: string;
}

/** Arguments of `getOrganizationMembers`. */
export interface GetOrganizationMembersArgs {
  /** Id of the organization. Default: the provider's `orgId`. Without it, the property is required. */
  readonly orgId?: string;
}

const getOrganizationMembersSource = dataSource<GetOrganizationMembersArgs, OrganizationMemberResult[]>(
  "getOrganizationMembers",
);

/**
 * Lists the members of an organization, in the order in which they joined.
 *
 * Neon API: `GET /organizations/{org_id}/members`.
 *
 * @example
 * ```ts
 * const members = neon.getOrganizationMembersOutput({ orgId: "org-quiet-river-302709" });
 * export const admins = members.apply((all) => all.filter(({ role }) => role === "admin"));
 * ```
 */
export function getOrganizationMembers(args: GetOrganizationMembersArgs = {}, options?: LookupOptions) {
  return getOrganizationMembersSource.invoke(args, options);
}

/** Output form of {@link getOrganizationMembers}: the arguments can be outputs. */
export function getOrganizationMembersOutput(args: Inputs<GetOrganizationMembersArgs> = {}, options?: LookupOptions) {
  return getOrganizationMembersSource.output(args, options);
}

/** Arguments of `getOrganizationInvitations`. */
export interface GetOrganizationInvitationsArgs {
  /** Id of the organization. Default: the provider's `orgId`. Without it, the property is required. */
  readonly orgId?: string;
}

const getOrganizationInvitationsSource = dataSource<GetOrganizationInvitationsArgs, OrganizationInvitationResult[]>(
  "getOrganizationInvitations",
);

/**
 * Lists the invitations to an organization, pending and accepted ones.
 *
 * Neon API: `GET /organizations/{org_id}/invitations`.
 *
 * @example
 * ```ts
 * const invitations = neon.getOrganizationInvitationsOutput({ orgId: "org-quiet-river-302709" });
 * export const invited = invitations.apply((all) => all.map(({ email }) => email));
 * ```
 */
export function getOrganizationInvitations(args: GetOrganizationInvitationsArgs = {}, options?: LookupOptions) {
  return getOrganizationInvitationsSource.invoke(args, options);
}

/** Output form of {@link getOrganizationInvitations}: the arguments can be outputs. */
export function getOrganizationInvitationsOutput(
  args: Inputs<GetOrganizationInvitationsArgs> = {},
  options?: LookupOptions,
) {
  return getOrganizationInvitationsSource.output(args, options);
}
