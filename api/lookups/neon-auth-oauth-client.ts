import { z } from "zod";

import { oauthClient, oauthClients } from "../schemas/neon-auth-oauth-client";
import { ofBranch } from "./id-argument";
import { lookup } from "./lookup";
import { noNeonAuth } from "./neon-auth";
import { resultOf } from "./result";

/** The OAuth clients of a branch's Neon Auth, without their secrets. */
export const getNeonAuthOauthClients = lookup("getNeonAuthOauthClients", () => ({
  args: ofBranch,
  result: z.array(
    resultOf(
      oauthClient,
      "NeonAuthOauthClientResult",
      "An application that the users of a branch's Neon Auth can sign in to.",
    ),
  ),
  list: "clients",
  explanations: { 404: noNeonAuth },
  read: async ({ client }, { projectId, branchId }) =>
    (await client.send(oauthClients.list(projectId, branchId))).clients,
}));
