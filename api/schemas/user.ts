import { z } from "zod";

import { request } from "../core/request";

/** The user that a personal API key belongs to. */
export const user = z.looseObject({
  id: z.string().describe("Id of the user, a UUID."),
  email: z.string().describe("E-mail address of the user."),
  name: z.string().describe("First name."),
  last_name: z.string().optional().describe("Last name."),
  plan: z.string().optional().describe("Plan of the account, such as `free_v3`."),
});
export type User = z.infer<typeof user>;

/** The user with the limits of the account. */
export const userWithLimits = user.extend({
  image: z.string().optional().describe("URL of the user's picture. Can be empty."),
  projects_limit: z.int().optional().describe("Maximum number of projects in the account."),
  branches_limit: z.int().optional().describe("Maximum number of branches in a project."),
  max_autoscaling_limit: z
    .number()
    .optional()
    .describe("Maximum size of a compute, in compute units (CU). 0: no limit."),
  active_seconds_limit: z
    .int()
    .optional()
    .describe("Active time of computes per billing period, in seconds. 0: no limit."),
  compute_seconds_limit: z.int().optional().describe("Compute time per billing period, in seconds. 0: no limit."),
});

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
