import { z } from "zod";

import { oauthProvider, oauthProviders } from "../schemas/neon-auth-oauth-provider";
import { ofBranch } from "./id-argument";
import { lookup } from "./lookup";
import { noNeonAuth } from "./neon-auth";
import { resultOf } from "./result";

/** The OAuth providers of a branch's Neon Auth, without their secrets. */
export const getNeonAuthOauthProviders = lookup("getNeonAuthOauthProviders", () => ({
  args: ofBranch,
  result: z.array(
    resultOf(
      oauthProvider,
      "NeonAuthOauthProviderResult",
      "A service that users of a branch's Neon Auth can sign in with.",
    ),
  ),
  list: "providers",
  explanations: { 404: noNeonAuth },
  read: async ({ client }, { projectId, branchId }) =>
    (await client.send(oauthProviders.list(projectId, branchId))).providers,
}));
