import { z } from "zod";

import { pagedRequest, path, request } from "../core/request";
import { emptyResponse, nextPagination, timestamp } from "./wire";

/** The roles of members of an organization. Neon says that some of them may not be available in every organization. */
const memberRoles = ["admin", "member", "editor", "viewer", "collaborator"] as const;

/** The role of a member in a request. */
export const memberRole = z.enum(memberRoles);

/** A member of an organization. */
export const organizationMember = z.looseObject({
  id: z.string().describe("Id of the member in the organization."),
  user_id: z.string().describe("Id of the member's account."),
  org_id: z.string(),
  role: z.string().describe("Role in the organization."),
  joined_at: timestamp.optional().describe("Time at which the member joined (ISO 8601, UTC)."),
});
export type OrganizationMember = z.infer<typeof organizationMember>;

/** The account of a member. */
export const memberAccount = z.looseObject({
  email: z.string().describe("E-mail address of the member."),
  has_mfa: z.boolean().optional().describe("Whether the member signs in with a second factor."),
  deactivated_at: timestamp.optional(),
});
const memberWithUser = z.looseObject({ member: organizationMember, user: memberAccount });
/** A member with the user's address. */
export type MemberWithUser = z.infer<typeof memberWithUser>;

const memberPage = z.looseObject({ members: z.array(memberWithUser), pagination: nextPagination.optional() });

/** The body that changes the role of a member. */
export const memberUpdate = z.object({ role: memberRole });
type MemberUpdate = z.infer<typeof memberUpdate>;

/** Requests for the members of an organization. */
export const organizationMembers = {
  /** Lists the members in the order in which they joined. */
  list: (orgId: string) =>
    pagedRequest("next", path`/organizations/${orgId}/members`, memberPage, {
      query: { sort_by: "joined_at", sort_order: "asc" },
      items: (page) => page.members,
      maxPageSize: 500,
    }),
  get: (orgId: string, memberId: string) =>
    request("GET", path`/organizations/${orgId}/members/${memberId}`, organizationMember),
  update: (orgId: string, memberId: string, body: MemberUpdate) =>
    request("PATCH", path`/organizations/${orgId}/members/${memberId}`, organizationMember, { body }),
  remove: (orgId: string, memberId: string) =>
    request("DELETE", path`/organizations/${orgId}/members/${memberId}`, emptyResponse),
};
