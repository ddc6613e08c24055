import { anyKey, personalKey } from "../http/authorization";
import { route } from "../http/route";
import { accountOf, userOf } from "../model/caller";
import { organizationAnswer, organizationsOf } from "../model/organization";
import { userAnswer } from "../model/user";

export const userRoutes = [
  route({
    method: "GET",
    path: "/users/me",
    scope: personalKey,
    handle: ({ caller }) => userAnswer(userOf(caller)),
  }),
  route({
    method: "GET",
    path: "/users/me/organizations",
    scope: anyKey,
    handle: ({ plane, caller }) => ({ organizations: organizationsOf(plane, caller).map(organizationAnswer) }),
  }),
  route({
    method: "GET",
    path: "/auth",
    scope: anyKey,
    handle: ({ caller }) => ({
      account_id: accountOf(caller),
      auth_method: caller.kind === "personal" ? "api_key_user" : "api_key_org",
      auth_data: String(caller.key.id),
    }),
  }),
];
