import { z } from "zod";

import { organizationMember } from "../http/authorization";
import { route } from "../http/route";
import { wholeNumber } from "../http/validation";
import { memberResponse, organizationResponse } from "../model/accounts/organization";
import { memberPage } from "./member-page";

export const organizationRoutes = [
  route({
    method: "GET",
    path: "/organizations/:org_id",
    authorization: organizationMember,
    handle: ({ organization }) => organizationResponse(organization),
  }),
  route({
    method: "GET",
    path: "/organizations/:org_id/members",
    authorization: organizationMember,
    query: z.object({
      sort_by: z.enum(["email", "role", "joined_at"]).default("joined_at"),
      sort_order: z.enum(["asc", "desc"]).default("desc"),
      cursor: z.string().optional(),
      limit: wholeNumber(1, 500).default(100),
    }),
    handle: ({ controlPlane, organization, query }) => {
      const { members, pagination } = memberPage(controlPlane, organization, query);
      return { members: members.map((row) => memberResponse(controlPlane, row)), ...(pagination && { pagination }) };
    },
  }),
];
