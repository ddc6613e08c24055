import { organizationAdmin, organizationMember } from "../http/authorization";
import { allow, type ApiPaths } from "../http/route";
import { invitationResponse, invite, listInvitations } from "../model/accounts/invitation";
import * as published from "../published/requests";

export const invitationPaths: ApiPaths = {
  "/organizations/:org_id/invitations": {
    GET: allow(organizationMember, ({ controlPlane, organization }) => ({
      invitations: listInvitations(controlPlane, organization).map(invitationResponse),
    })),
    POST: allow(
      { ...organizationAdmin, ...published.createOrganizationInvitations },
      ({ controlPlane, caller, organization, body: { invitations } }) => ({
        invitations: invitations.map((one) => invitationResponse(invite(controlPlane, organization, caller, one))),
      }),
    ),
  },
};
