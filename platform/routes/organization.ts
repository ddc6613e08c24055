import { organizationMember } from "../http/authorization";
import { allow, type ApiPaths } from "../http/route";

import { memberResponse, organizationResponse } from "../model/accounts/organization";
import { memberPage, memberPageQuery } from "./member-page";

export const organizationPaths: ApiPaths = {
  "/organizations/:org_id": {
    GET: allow(organizationMember, ({ organization }) => organizationResponse(organization)),
  },
  "/organizations/:org_id/members": {
    GET: allow({ ...organizationMember, query: memberPageQuery }, ({ controlPlane, organization, query }) => {
      const { members, pagination } = memberPage(controlPlane, organization, query);
      return { members: members.map((row) => memberResponse(controlPlane, row)), pagination };
    }),
  },
};
