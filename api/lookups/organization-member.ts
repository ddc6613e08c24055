import { z } from "zod";

import { collect } from "../http/pagination";
import { organizationInvitation, organizationInvitations } from "../schemas/organization-invitation";
import { memberAccount, organizationMember, organizationMembers } from "../schemas/organization-member";
import { ofOrganization } from "./id-argument";
import { lookup } from "./lookup";
import { requireOrganization } from "./organization";
import { resultOf } from "./result";

/** The members of an organization, in the order in which they joined. */
export const getOrganizationMembers = lookup("getOrganizationMembers", () => ({
  args: ofOrganization,
  result: z.array(
    resultOf(
      organizationMember.omit({ org_id: true }).extend(memberAccount.omit({ deactivated_at: true }).shape),
      "OrganizationMemberResult",
      "A member of an organization.",
    ),
  ),
  list: "members",
  read: async (account, { orgId }) => {
    const organization = requireOrganization("getOrganizationMembers", account, orgId);
    const members = await collect(account.client.list(organizationMembers.list(organization)));
    return members.map(({ member: found, user: { email, has_mfa } }) => ({ ...found, email, has_mfa }));
  },
}));

/** The invitations of an organization, pending and accepted ones. */
export const getOrganizationInvitations = lookup("getOrganizationInvitations", () => ({
  args: ofOrganization,
  result: z.array(
    resultOf(
      organizationInvitation.omit({ org_id: true }),
      "OrganizationInvitationResult",
      "An invitation to an organization.",
    ),
  ),
  list: "invitations",
  read: async (account, { orgId }) => {
    const organization = requireOrganization("getOrganizationInvitations", account, orgId);
    return (await account.client.send(organizationInvitations.list(organization))).invitations;
  },
}));
