import { z } from "zod";

import { trustedDomains } from "../schemas/neon-auth-trusted-domain";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";

/** The trusted domains of a branch's Neon Auth. */
export const getNeonAuthTrustedDomains = lookup("getNeonAuthTrustedDomains", () => ({
  args: {
    projectId: idArgument.describe("Project of the branch."),
    branchId: idArgument.describe("Branch whose domains to list."),
  },
  result: z.array(
    z
      .strictObject({
        domain: z.string().describe("The domain, such as `https://shop.example.com`."),
        authProvider: z.string().describe("What provides the sign-in, such as `better_auth`."),
      })
      .meta({
        title: "NeonAuthTrustedDomainResult",
        description: "A domain that users of a branch's Neon Auth can be redirected to.",
      }),
  ),
  list: "domains",
  explanations: {
    404: "The branch does not exist, or it does not have Neon Auth. Declare a `NeonAuth`, and use its output `branchId` here, so that Pulumi enables it first.",
  },
  read: async ({ client }, { projectId, branchId }) =>
    (await client.send(trustedDomains.list(projectId, branchId))).domains,
}));
