import { z } from "zod";

import { path, request } from "../core/request";
import { memberRole } from "./organization-member";
import { timestamp } from "./wire";

/** An invitation to an organization, pending or accepted. */
const organizationInvitation = z.looseObject({
  id: z.string(),
  email: z.string(),
  org_id: z.string(),
  invited_by: z.string(),
  invited_at: timestamp,
  role: z.string(),
});
export type OrganizationInvitation = z.infer<typeof organizationInvitation>;

/** One invitation of the body that creates several. */
export const invitationCreate = z.object({
  email: z.email("must be an e-mail address").max(256),
  role: memberRole,
});
export type InvitationCreate = z.infer<typeof invitationCreate>;

const invitationList = z.looseObject({ invitations: z.array(organizationInvitation) });

/** Requests for invitations to an organization. The API cannot withdraw one. */
export const organizationInvitations = {
  /** Pending and accepted ones. */
  list: (orgId: string) => request("GET", path`/organizations/${orgId}/invitations`, invitationList),
  create: (orgId: string, ...invitations: readonly InvitationCreate[]) =>
    request("POST", path`/organizations/${orgId}/invitations`, invitationList, { body: { invitations } }),
};
