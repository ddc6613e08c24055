import { organizationAdmin, organizationMember } from "../model/routing/authorization";
import { allow, type ApiPaths } from "../model/routing/route";
import {
  getMember,
  memberResponse,
  membershipResponse,
  organizationResponse,
  removeMember,
  updateMember,
} from "../model/accounts/organization";
import * as published from "../published/requests";
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
  "/organizations/:org_id/members/:member_id": {
    GET: allow(organizationMember, ({ controlPlane, organization, parameter }) =>
      membershipResponse(getMember(controlPlane, organization, parameter("member_id"))),
    ),
    PATCH: allow(
      { ...organizationAdmin, ...published.updateOrganizationMember },
      ({ controlPlane, organization, parameter, body }) =>
        membershipResponse(updateMember(controlPlane, organization, parameter("member_id"), body.role)),
    ),
    DELETE: allow(organizationAdmin, ({ controlPlane, organization, parameter }) => {
      const { user_id } = getMember(controlPlane, organization, parameter("member_id"));
      removeMember(controlPlane, organization, controlPlane.tables.users.getOr404("user", { id: user_id }));
      return {};
    }),
  },
};
