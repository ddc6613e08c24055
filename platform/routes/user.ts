import { userAnswer } from "../model/user";
import { route } from "../route";

export const userRoutes = [
  route({ method: "GET", path: "/users/me", handle: ({ caller }) => userAnswer(caller.user) }),
  route({ method: "GET", path: "/users/me/organizations", handle: () => ({ organizations: [] }) }),
  route({
    method: "GET",
    path: "/auth",
    handle: ({ caller }) => ({
      account_id: caller.user.id,
      auth_method: "api_key_user",
      auth_data: String(caller.key.id),
    }),
  }),
];
