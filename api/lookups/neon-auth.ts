import { z } from "zod";

import { lazy } from "../core/lazy";
import { neonAuths } from "../schemas/neon-auth";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";

const result = lazy(() =>
  z
    .strictObject({
      branchId: z.string().describe("Branch of the integration."),
      authProvider: z.string().describe("What provides the sign-in, such as `better_auth`."),
      authProviderProjectId: z.string().describe("Id of the project at the provider of the sign-in."),
      databaseName: z.string().describe("Database that has the schema `neon_auth` with the users."),
      ownedBy: z.string().describe("Who owns the project at the provider: `neon` or `user`."),
      baseUrl: z
        .string()
        .optional()
        .describe("URL that the application sends its users' requests to: its `NEON_AUTH_BASE_URL`."),
      jwksUrl: z.string().describe("URL of the keys that verify the users' tokens (JWT)."),
      name: z.string().optional().describe("Name of the application in e-mails to its users."),
      createdAt: z.string().describe("Time of creation (ISO 8601, UTC)."),
    })
    .meta({ title: "NeonAuthResult", description: "The Neon Auth integration of a branch." }),
);

/** The Neon Auth integration of a branch. */
export const getNeonAuth = lookup("getNeonAuth", () => ({
  args: {
    projectId: idArgument.describe("Project of the branch."),
    branchId: idArgument.describe("Branch whose integration to read."),
  },
  result: result(),
  explanations: {
    404: "The branch does not exist, or it does not have Neon Auth. Declare a `NeonAuth`, and use its output `branchId` here, so that Pulumi enables it first.",
  },
  read: async ({ client }, { projectId, branchId }) => {
    const { db_name: database_name, ...found } = await client.send(neonAuths.get(projectId, branchId));
    return { ...found, database_name };
  },
}));
