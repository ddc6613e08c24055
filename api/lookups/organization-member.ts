import { z } from "zod";

import { lazy } from "../core/lazy";
import { collect } from "../http/pagination";
import { organizationInvitations } from "../schemas/organization-invitation";
import { organizationMembers } from "../schemas/organization-member";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";
import { requireOrganization } from "./organization";

const member = lazy(() =>
  z
    .strictObject({
      id: z.string().describe("Id of the member in the organization."),
      userId: z.string().describe("Id of the member's account."),
      email: z.string().describe("E-mail address of the member."),
      role: z.string().describe("Role in the organization."),
      joinedAt: z.string().optional().describe("Time at which the member joined (ISO 8601, UTC)."),
      hasMfa: z.boolean().optional().describe("Whether the member signs in with a second factor."),
    })
    .meta({ title: "OrganizationMemberResult", description: "A member of an organization." }),
);

/** The members of an organization, in the order in which they joined. */
export const getOrganizationMembers = lookup("getOrganizationMembers", () => ({
  args: {
    orgId: idArgument
      .optional()
      .describe(
        "Id of the organization. Required unless the provider's `orgId` is set. Default: the provider's `orgId`.",
      ),
  },
  result: z.array(member()),
  list: "members",
  read: async (account, { orgId }) => {
    const organization = requireOrganization("getOrganizationMembers", account, orgId);
    const members = await collect(account.client.list(organizationMembers.list(organization)));
    return members.map(({ member: found, user: { email, has_mfa } }) => ({ ...found, email, has_mfa }));
  },
}));

const invitation = lazy(() =>
  z
    .strictObject({
      id: z.string().describe("Id of the invitation."),
      email: z.string().describe("E-mail address of the invited person."),
      role: z.string().describe("Role that the person gets."),
      invitedBy: z.string().describe("Id of the user who has invited the person."),
      invitedAt: z.string().describe("Time of the invitation (ISO 8601, UTC)."),
    })
    .meta({ title: "OrganizationInvitationResult", description: "An invitation to an organization." }),
);

/** The invitations of an organization, pending and accepted ones. */
export const getOrganizationInvitations = lookup("getOrganizationInvitations", () => ({
  args: {
    orgId: idArgument
      .optional()
      .describe(
        "Id of the organization. Required unless the provider's `orgId` is set. Default: the provider's `orgId`.",
      ),
  },
  result: z.array(invitation()),
  list: "invitations",
  read: async (account, { orgId }) => {
    const organization = requireOrganization("getOrganizationInvitations", account, orgId);
    return (await account.client.send(organizationInvitations.list(organization))).invitations;
  },
}));
