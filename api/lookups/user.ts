import { z } from "zod";

import { camelObject } from "../camel-shape";
import { user, users } from "../schemas/user";
import { lookup } from "./lookup";

/** The user with the limits of the account. */
const account = user.extend({
  image: z.string().optional(),
  projects_limit: z.int().optional(),
  branches_limit: z.int().optional(),
  max_autoscaling_limit: z.number().optional(),
  active_seconds_limit: z.int().optional(),
  compute_seconds_limit: z.int().optional(),
});

/** The user who owns the API key in use. */
export const getCurrentUser = lookup("getCurrentUser", {
  args: {},
  result: camelObject(account),
  explanations: { 403: "An API key of an organization or a project belongs to no user. Use a personal API key." },
  read: ({ client }) => client.send({ ...users.me(), schema: account }),
});
