import type { TableDefinition } from "../../storage/table";
import type { MemberRole } from "./membership-row";

/** An invitation to an organization. It is kept when it is accepted. */
export interface InvitationRow {
  id: string;
  org_id: string;
  email: string;
  role: MemberRole;
  /** The user who has invited. */
  invited_by: string;
  invited_at: string;
  /** Set once the user has joined. */
  accepted_at: string | null;
}

export const invitationTable: TableDefinition<InvitationRow> = {
  name: "invitations",
  public: ["id", "org_id", "email", "role", "invited_by", "invited_at"],
  columns: ["id", "org_id", "email", "invited_at", "accepted_at"],
  indexes: ["org_id, invited_at", "email"],
  latest: "invited_at",
};
