import { z } from "zod";

import { jwksUrls } from "../schemas/jwks-url";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";

/** The JWKS URLs of a project. */
export const getJwks = lookup("getJwks", () => ({
  reads: ["JwksUrl"],
  args: {
    projectId: idArgument.describe("Project whose JWKS URLs to list."),
  },
  result: z.array(
    z
      .strictObject({
        id: z.string().describe("Id of the JWKS URL."),
        projectId: z.string().describe("Project of the JWKS URL."),
        branchId: z.string().optional().describe("Branch that the JWKS URL applies to. Absent: all branches."),
        jwksUrl: z.string().describe("URL of the key set."),
        providerName: z.string().describe("Name of the authentication provider that issues the tokens."),
        jwtAudience: z.string().optional().describe("Audience that a token must have."),
        roleNames: z.array(z.string()).optional().describe("Postgres roles that a token can use."),
        createdAt: z.string().describe("Time of creation (ISO 8601, UTC)."),
      })
      .meta({ title: "JwksUrlResult", description: "A JWKS URL of a project." }),
  ),
  list: "jwks",
  read: async ({ client }, { projectId }) => (await client.send(jwksUrls.list(projectId))).jwks,
}));
