import { z } from "zod";

import { cursorOf, formatCursor } from "../model/routing/validation";
import { listMembers } from "../model/accounts/organization";
import type { ControlPlane } from "../model/control-plane";
import type { MembershipRow } from "../model/accounts/membership-row";
import type { OrganizationRow } from "../model/accounts/organization-row";
import * as published from "../published/requests";

const { query } = published.getOrganizationMembers;

export const memberPageQuery = query.extend({
  cursor: cursorOf(z.tuple([z.string(), z.string()]), "members").optional(),
  limit: query.shape.limit.default(100),
});

/** One page of the members of an organization. Every page has a cursor, except an empty one. */
export function memberPage(
  controlPlane: ControlPlane,
  organization: OrganizationRow,
  { sort_by, sort_order, cursor, limit }: z.infer<typeof memberPageQuery>,
): { members: MembershipRow[]; pagination: object | undefined } {
  const { users } = controlPlane.tables;
  const sortValueOf = (row: MembershipRow): string =>
    sort_by === "email" ? (users.get({ id: row.user_id })?.email ?? "") : row[sort_by];
  /** Members with equal values are sorted by the time at which they joined, which is unique. */
  const positionOf = (row: MembershipRow): string[] => [sortValueOf(row), row.joined_at];
  const direction = sort_order === "asc" ? 1 : -1;
  const compare = (row: MembershipRow, position: readonly string[]): number => {
    const [one, other] = [JSON.stringify(positionOf(row)), JSON.stringify(position)];
    return direction * (one < other ? -1 : one > other ? 1 : 0);
  };
  const members = listMembers(controlPlane, organization.id)
    .filter((row) => cursor === undefined || compare(row, cursor) > 0)
    .sort((row, other) => compare(row, positionOf(other)))
    .slice(0, limit);
  const last = members.at(-1);
  return { members, pagination: last && { next: formatCursor(positionOf(last)), sort_by, sort_order } };
}
