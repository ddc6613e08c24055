import { z } from "zod";

/** The body that creates a user of a branch's Neon Auth. */
export const authUserCreate = z.object({
  email: z.email("must be an e-mail address").max(256),
  name: z.string().min(1).max(255).optional(),
});

/** The body that sets the roles of a user. */
export const authUserRoles = z.object({ roles: z.array(z.string()).min(1) });
