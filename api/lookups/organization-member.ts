import { z } from "zod";

import { collect } from "../http/pagination";
import { organizationInvitations } from "../schemas/organization-invitation";
import { organizationMembers } from "../schemas/organization-member";
import { objectId, timestamp } from "../schemas/wire";
import { lookup } from "./lookup";
import { requireOrganization } from "./organization";

const member = z.strictObject({
  id: z.string(),
  userId: z.string(),
  email: z.string(),
  role: z.string(),
  joinedAt: timestamp.optional(),
  hasMfa: z.boolean().optional(),
});

/** The members of an organization, in the order in which they joined. */
export const getOrganizationMembers = lookup("getOrganizationMembers", {
  args: { orgId: objectId.optional() },
  result: z.array(member),
  list: "members",
  read: async (account, { orgId }) => {
    const organization = requireOrganization("getOrganizationMembers", account, orgId);
    const members = await collect(account.client.list(organizationMembers.list(organization)));
    return members.map(({ member: found, user: { email, has_mfa } }) => ({ ...found, email, has_mfa }));
  },
});

const invitation = z.strictObject({
  id: z.string(),
  email: z.string(),
  role: z.string(),
  invitedBy: z.string(),
  invitedAt: timestamp,
});

/** The invitations of an organization, pending and accepted ones. */
export const getOrganizationInvitations = lookup("getOrganizationInvitations", {
  args: { orgId: objectId.optional() },
  result: z.array(invitation),
  list: "invitations",
  read: async (account, { orgId }) => {
    const organization = requireOrganization("getOrganizationInvitations", account, orgId);
    return (await account.client.send(organizationInvitations.list(organization))).invitations;
  },
});
