import { randomUUID } from "node:crypto";

import type { InvitationCreate } from "../../../api/schemas/organization-invitation";
import { conflict } from "../../http-error";
import { publicMembers } from "../../storage/table";
import type { ControlPlane } from "../control-plane";
import { type InvitationRow, invitationTable } from "./invitation-row";
import type { OrganizationRow } from "./organization-row";
import type { UserRow } from "./user-row";
import type { Caller } from "./caller";
import { parseRole, setMember } from "./organization";
import { normalizeEmail } from "./user";

/** Invites an address. A user who has an account joins at once; others join when they sign in for the first time. */
export function invite(
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
    throw conflict(`${email} is a member of the organization already`);
  }
  if (!user && invitations.get({ org_id: organization.id, email, accepted_at: null })) {
    throw conflict(`${email} is invited to the organization already`);
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

/** A user joins the organizations that the address is invited to. */
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

/** The invitations of an organization, pending and accepted ones, newest first. */
export function listInvitations({ tables }: ControlPlane, { id }: OrganizationRow): InvitationRow[] {
  return tables.invitations.list({ org_id: id }, "ORDER BY invited_at DESC");
}

/** An invitation as the API returns it. */
export function invitationResponse(row: InvitationRow): object {
  return publicMembers(invitationTable, row);
}
