import { anyKey, personalKey } from "../http/authorization";
import { route } from "../http/route";
import { accountIdOf, requireUser } from "../model/accounts/caller";
import { listCallerOrganizations, organizationResponse } from "../model/accounts/organization";
import { userResponse } from "../model/accounts/user";

export const userRoutes = [
  route({
    method: "GET",
    path: "/users/me",
    authorization: personalKey,
    handle: ({ caller }) => userResponse(requireUser(caller)),
  }),
  route({
    method: "GET",
    path: "/users/me/organizations",
    authorization: anyKey,
    handle: ({ controlPlane, caller }) => ({
      organizations: listCallerOrganizations(controlPlane, caller).map(organizationResponse),
    }),
  }),
  route({
    method: "GET",
    path: "/auth",
    authorization: anyKey,
    handle: ({ caller }) => ({
      account_id: accountIdOf(caller),
      auth_method: caller.kind === "personal" ? "api_key_user" : "api_key_org",
      auth_data: String(caller.key.id),
    }),
  }),
];
