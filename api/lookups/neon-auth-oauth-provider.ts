import { z } from "zod";

import { oauthProviders } from "../schemas/neon-auth-oauth-provider";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";

/** The OAuth providers of a branch's Neon Auth, without their secrets. */
export const getNeonAuthOauthProviders = lookup("getNeonAuthOauthProviders", () => ({
  args: {
    projectId: idArgument.describe("Project of the branch."),
    branchId: idArgument.describe("Branch whose providers to list."),
  },
  result: z.array(
    z
      .strictObject({
        id: z.string().describe("The service, such as `google`."),
        type: z.string().describe("`standard` for an application of your own, `shared` for one of Neon."),
        clientId: z.string().optional().describe("Id of the application at the service."),
      })
      .meta({
        title: "NeonAuthOauthProviderResult",
        description: "A service that users of a branch's Neon Auth can sign in with.",
      }),
  ),
  list: "providers",
  explanations: {
    404: "The branch does not exist, or it does not have Neon Auth. Declare a `NeonAuth`, and use its output `branchId` here, so that Pulumi enables it first.",
  },
  read: async ({ client }, { projectId, branchId }) =>
    (await client.send(oauthProviders.list(projectId, branchId))).providers,
}));
