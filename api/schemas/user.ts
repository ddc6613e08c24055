import { z } from "zod";

import type { Request } from "../request";

/** The user a key belongs to. */
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
  me: (): Request<z.infer<typeof user>> => ({ method: "GET", path: "/users/me", schema: user }),
};

const authentication = z.looseObject({ account_id: z.string(), auth_method: z.string() });

/** Requests about the key itself. */
export const auth = {
  /** The account that the key belongs to: a user's, or an organization's. */
  get: (): Request<z.infer<typeof authentication>> => ({ method: "GET", path: "/auth", schema: authentication }),
};
