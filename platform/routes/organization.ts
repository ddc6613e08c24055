import { z } from "zod";

import { inOrganization } from "../http/authorization";
import { wholeNumber } from "../http/query";
import { route } from "../http/route";
import { memberAnswer, organizationAnswer } from "../model/organization";
import { memberPage } from "./member-page";

export const organizationRoutes = [
  route({
    method: "GET",
    path: "/organizations/:org_id",
    scope: inOrganization,
    handle: ({ organization }) => organizationAnswer(organization()),
  }),
  route({
    method: "GET",
    path: "/organizations/:org_id/members",
    scope: inOrganization,
    query: z.object({
      sort_by: z.enum(["email", "role", "joined_at"]).default("joined_at"),
      sort_order: z.enum(["asc", "desc"]).default("desc"),
      cursor: z.string().optional(),
      limit: wholeNumber(1, 500).default(100),
    }),
    handle: ({ plane, organization, query }) => {
      const { members, pagination } = memberPage(plane, organization(), query);
      return { members: members.map((row) => memberAnswer(plane, row)), ...(pagination && { pagination }) };
    },
  }),
];
