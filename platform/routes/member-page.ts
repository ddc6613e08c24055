import { invalidCursor } from "../http/validation";
import { listMembers } from "../model/accounts/organization";
import type { ControlPlane } from "../model/control-plane";
import type { MembershipRow, OrganizationRow } from "../model/rows";

interface MemberQuery {
  readonly sort_by: "email" | "role" | "joined_at";
  readonly sort_order: "asc" | "desc";
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** One page of the members of an organization. Every page has a cursor, except an empty one. */
export function memberPage(
  controlPlane: ControlPlane,
  organization: OrganizationRow,
  { sort_by, sort_order, cursor, limit }: MemberQuery,
): { members: MembershipRow[]; pagination: object | undefined } {
  const { users } = controlPlane.tables;
  const sortValueOf = (row: MembershipRow): string =>
    sort_by === "email" ? (users.get({ id: row.user_id })?.email ?? "") : row[sort_by];
  /** Members with equal values are sorted by when they joined, which is unique. */
  const positionOf = (row: MembershipRow): string => JSON.stringify([sortValueOf(row), row.joined_at]);
  const direction = sort_order === "asc" ? 1 : -1;
  const compare = (one: string, other: string): number => direction * (one < other ? -1 : one > other ? 1 : 0);
  const after = cursor === undefined ? undefined : parseCursor(cursor);
  const members = listMembers(controlPlane, organization.id)
    .filter((row) => after === undefined || compare(positionOf(row), after) > 0)
    .sort((one, other) => compare(positionOf(one), positionOf(other)))
    .slice(0, limit);
  const last = members.at(-1);
  const next = last && Buffer.from(positionOf(last)).toString("base64url");
  return { members, pagination: next === undefined ? undefined : { next, sort_by, sort_order } };
}

function parseCursor(cursor: string): string {
  const text = Buffer.from(cursor, "base64url").toString();
  if (!/^\[".*","[-:T.\d]+Z"\]$/.test(text)) {
    throw invalidCursor("members");
  }
  return text;
}
