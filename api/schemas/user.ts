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
  me: (): Request<z.infer<typeof user>> => ({ method: "GET", path: "/users/me", answer: user }),
};
