import { badRequest } from "../http-error";
import type { ControlPlane } from "../model/control-plane";
import { membersOf } from "../model/organization";
import type { MembershipRow, OrganizationRow } from "../model/rows";

interface MemberQuery {
  readonly sort_by: "email" | "role" | "joined_at";
  readonly sort_order: "asc" | "desc";
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** One page of an organization's members; there is a cursor while anything is returned. */
export function memberPage(
  plane: ControlPlane,
  organization: OrganizationRow,
  { sort_by, sort_order, cursor, limit }: MemberQuery,
): { members: MembershipRow[]; pagination: object | undefined } {
  const { users } = plane.tables;
  const valueOf = (row: MembershipRow): string =>
    sort_by === "email" ? (users.get({ id: row.user_id })?.email ?? "") : row[sort_by];
  /** Equal values are told apart, so that every member has one place. */
  const placeOf = (row: MembershipRow): string => JSON.stringify([valueOf(row), row.joined_at]);
  const direction = sort_order === "asc" ? 1 : -1;
  const compare = (one: string, other: string): number => direction * (one < other ? -1 : one > other ? 1 : 0);
  const after = cursor === undefined ? undefined : decoded(cursor);
  const members = membersOf(plane, organization.id)
    .filter((row) => after === undefined || compare(placeOf(row), after) > 0)
    .sort((one, other) => compare(placeOf(one), placeOf(other)))
    .slice(0, limit);
  const last = members.at(-1);
  const next = last && Buffer.from(placeOf(last)).toString("base64url");
  return { members, pagination: next === undefined ? undefined : { next, sort_by, sort_order } };
}

function decoded(cursor: string): string {
  const text = Buffer.from(cursor, "base64url").toString();
  if (!/^\[".*","[-:T.\d]+Z"\]$/.test(text)) {
    throw badRequest("query parameter cursor: is not one that a list of members has returned");
  }
  return text;
}
