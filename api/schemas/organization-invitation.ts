import { z } from "zod";

import { path, request } from "../core/request";
import { memberRole } from "./organization-member";
import { timestamp } from "./wire";

/** An invitation to an organization, pending or accepted. */
export const organizationInvitation = z.looseObject({
  id: z.string().describe("Id of the invitation."),
  email: z.string().describe("E-mail address of the invited person."),
  org_id: z.string(),
  role: z.string().describe("Role that the person gets."),
  invited_by: z.string().describe("Id of the user who has invited the person."),
  invited_at: timestamp.describe("Time of the invitation (ISO 8601, UTC)."),
});
export type OrganizationInvitation = z.infer<typeof organizationInvitation>;

/** An invitation in the body of the request that creates invitations. */
export const invitationCreate = z.object({
  email: z.email("must be an e-mail address").max(256),
  role: memberRole,
});
export type InvitationCreate = z.infer<typeof invitationCreate>;

const invitationList = z.looseObject({ invitations: z.array(organizationInvitation) });

/** Requests for invitations to an organization. The API cannot withdraw one. */
export const organizationInvitations = {
  /** Lists pending and accepted invitations. */
  list: (orgId: string) => request("GET", path`/organizations/${orgId}/invitations`, invitationList),
  create: (orgId: string, ...invitations: readonly InvitationCreate[]) =>
    request("POST", path`/organizations/${orgId}/invitations`, invitationList, { body: { invitations } }),
};
