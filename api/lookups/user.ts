import { users, userWithLimits } from "../schemas/user";
import { lookup } from "./lookup";
import { resultOf } from "./result";

/** The user who owns the API key in use. */
export const getCurrentUser = lookup("getCurrentUser", () => ({
  args: {},
  result: resultOf(userWithLimits, "CurrentUserResult", "The user who owns the API key in use."),
  explanations: { 403: "An API key of an organization or a project belongs to no user. Use a personal API key." },
  read: ({ client }) => client.send({ ...users.me(), schema: userWithLimits }),
}));
