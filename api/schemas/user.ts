import { z } from "zod";

import { request } from "../core/request";

/** The user that a personal API key belongs to. */
export const user = z.looseObject({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  last_name: z.string().optional(),
  plan: z.string().optional(),
});
export type User = z.infer<typeof user>;

/** Requests for the current user. */
export const users = {
  me: () => request("GET", "/users/me", user),
};

const authentication = z.looseObject({
  account_id: z.string(),
  auth_method: z.string(),
  auth_data: z.string().optional(),
});

/** Requests about the API key itself. */
export const auth = {
  /** Returns the account that the API key belongs to: a user or an organization. */
  get: () => request("GET", "/auth", authentication),
};
