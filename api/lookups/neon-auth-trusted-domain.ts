import { z } from "zod";

import { trustedDomain, trustedDomains } from "../schemas/neon-auth-trusted-domain";
import { ofBranch } from "./id-argument";
import { lookup } from "./lookup";
import { noNeonAuth } from "./neon-auth";
import { resultOf } from "./result";

/** The trusted domains of a branch's Neon Auth. */
export const getNeonAuthTrustedDomains = lookup("getNeonAuthTrustedDomains", () => ({
  args: ofBranch,
  result: z.array(
    resultOf(
      trustedDomain,
      "NeonAuthTrustedDomainResult",
      "A domain that users of a branch's Neon Auth can be redirected to.",
    ),
  ),
  list: "domains",
  explanations: { 404: noNeonAuth },
  read: async ({ client }, { projectId, branchId }) =>
    (await client.send(trustedDomains.list(projectId, branchId))).domains,
}));
