import { z } from "zod";

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
export const getCurrentUser = lookup("getCurrentUser", () => ({
  args: {},
  result: z
    .strictObject({
      id: z.string().describe("Id of the user, a UUID."),
      email: z.string().describe("Email address of the user."),
      name: z.string().describe("First name."),
      lastName: z.string().optional().describe("Last name."),
      image: z.string().optional().describe("URL of the user's picture. Can be empty."),
      plan: z.string().optional().describe("Plan of the account, such as `free_v3`."),
      projectsLimit: z.int().optional().describe("Maximum number of projects in the account."),
      branchesLimit: z.int().optional().describe("Maximum number of branches in a project."),
      maxAutoscalingLimit: z
        .number()
        .optional()
        .describe("Maximum size of a compute, in compute units (CU). 0: no limit."),
      activeSecondsLimit: z
        .int()
        .optional()
        .describe("Active time of computes per billing period, in seconds. 0: no limit."),
      computeSecondsLimit: z.int().optional().describe("Compute time per billing period, in seconds. 0: no limit."),
    })
    .meta({ title: "CurrentUserResult", description: "The user who owns the API key in use." }),
  explanations: { 403: "An API key of an organization or a project belongs to no user. Use a personal API key." },
  read: ({ client }) => client.send({ ...users.me(), schema: account }),
}));
