import { randomUUID } from "node:crypto";

import type { InvitationCreate } from "../../../api/schemas/organization-invitation";
import { conflict } from "../../http-error";
import type { Answer, vendor } from "../../published/answers";
import * as published from "../../published/requests";
import { pick } from "../../storage/timestamps";
import type { RowTable } from "../containment";
import type { ControlPlane } from "../control-plane";
import { organizationAdmin, organizationMember } from "../routing/authorization";
import { allow, type ApiPaths } from "../routing/route";
import type { MemberRole } from "./membership-row";
import type { OrganizationRow } from "./organization-row";
import type { UserRow } from "./user-row";
import type { Caller } from "./caller";
import { parseRole, setMember } from "./organization";
import { normalizeEmail } from "./user";

/** An invitation to an organization. It is kept after it is accepted. */
export interface InvitationRow {
  id: string;
  org_id: string;
  email: string;
  role: MemberRole;
  /** The user who sent the invitation. */
  invited_by: string;
  invited_at: string;
  /** Set once the user has joined. */
  accepted_at: string | null;
}

export const invitationTable: RowTable<InvitationRow> = {
  name: "invitations",
  within: "platform",
  columns: ["accepted_at"],
  indexes: ["org_id, invited_at", "email"],
  latest: "invited_at",
};

export const invitationPaths: ApiPaths = {
  "/organizations/:org_id/invitations": {
    // Lists pending and accepted invitations, newest first.
    GET: allow(organizationMember, ({ controlPlane: { tables }, organization }) => ({
      invitations: tables.invitations
        .list({ org_id: organization.id }, "ORDER BY invited_at DESC")
        .map(invitationResponse),
    })),
    POST: allow(
      { ...organizationAdmin, ...published.createOrganizationInvitations },
      ({ controlPlane, caller, organization, body: { invitations } }) => ({
        invitations: invitations.map((one) => invitationResponse(invite(controlPlane, organization, caller, one))),
      }),
    ),
  },
};

/** Invites an address. A user who has an account joins at once; others join when they sign in for the first time. */
function invite(
  controlPlane: ControlPlane,
  organization: OrganizationRow,
  { key }: Caller,
  input: InvitationCreate,
): InvitationRow {
  const { invitations, memberships, users } = controlPlane.tables;
  const email = normalizeEmail(input.email);
  const role = parseRole(input.role);
  const user = users.get({ email });
  if (user && memberships.get({ org_id: organization.id, user_id: user.id })) {
    throw conflict(`${email} is already a member of the organization`);
  }
  if (!user && invitations.get({ org_id: organization.id, email, accepted_at: null })) {
    throw conflict(`${email} is already invited to the organization`);
  }
  const invitation: InvitationRow = {
    id: randomUUID(),
    org_id: organization.id,
    email,
    role,
    invited_by: key.user_id,
    invited_at: controlPlane.timestamps.next(),
    accepted_at: null,
  };
  invitations.put(invitation);
  if (user) acceptInvitations(controlPlane, user);
  return invitation;
}

/** Adds a user to the organizations that have invited the user's address. */
export function acceptInvitations(controlPlane: ControlPlane, user: UserRow): void {
  const { invitations, memberships, organizations } = controlPlane.tables;
  for (const invitation of invitations.list({ email: user.email, accepted_at: null }, "ORDER BY invited_at")) {
    const organization = organizations.get({ id: invitation.org_id });
    if (organization && !memberships.get({ org_id: organization.id, user_id: user.id })) {
      setMember(controlPlane, organization, user, invitation.role);
    }
    invitations.put({ ...invitation, accepted_at: controlPlane.timestamps.next() });
  }
}

function invitationResponse(row: InvitationRow) {
  return pick(row, ["id", "org_id", "email", "role", "invited_by", "invited_at"]) satisfies Answer<vendor.Invitation>;
}
