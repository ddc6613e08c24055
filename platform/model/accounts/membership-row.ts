import type { RowTable } from "../containment";

export type MemberRole = "admin" | "member";

export interface MembershipRow {
  id: string;
  org_id: string;
  user_id: string;
  role: MemberRole;
  joined_at: string;
}

export const membershipTable: RowTable<MembershipRow> = {
  name: "memberships",
  within: "platform",
  columns: ["id", "role"],
  primaryKey: ["org_id", "user_id"],
  indexes: ["user_id, joined_at", "org_id, joined_at"],
  latest: "joined_at",
};
