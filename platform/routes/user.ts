import { anyKey, personalKey } from "../model/routing/authorization";
import { allow, type ApiPaths } from "../model/routing/route";
import { accountIdOf } from "../model/accounts/caller";
import { listCallerOrganizations, organizationResponse } from "../model/accounts/organization";
import { userResponse } from "../model/accounts/user";

export const userPaths: ApiPaths = {
  "/users/me": { GET: allow(personalKey, ({ controlPlane, caller }) => userResponse(controlPlane, caller.user)) },
  "/users/me/organizations": {
    GET: allow(anyKey, ({ controlPlane, caller }) => ({
      organizations: listCallerOrganizations(controlPlane, caller).map(organizationResponse),
    })),
  },
  "/auth": {
    GET: allow(anyKey, ({ caller }) => ({
      account_id: accountIdOf(caller),
      auth_method: caller.kind === "personal" ? "api_key_user" : "api_key_org",
      auth_data: String(caller.key.id),
    })),
  },
};
