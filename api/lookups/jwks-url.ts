import { z } from "zod";

import { jwksUrl, jwksUrls } from "../schemas/jwks-url";
import { ofProject } from "./id-argument";
import { lookup } from "./lookup";
import { resultOf } from "./result";

/** The JWKS URLs of a project. */
export const getJwks = lookup("getJwks", () => ({
  reads: ["JwksUrl"],
  args: ofProject,
  result: z.array(resultOf(jwksUrl.omit({ updated_at: true }), "JwksUrlResult", "A JWKS URL of a project.")),
  list: "jwks",
  read: async ({ client }, { projectId }) => (await client.send(jwksUrls.list(projectId))).jwks,
}));
