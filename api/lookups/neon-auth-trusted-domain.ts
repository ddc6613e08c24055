import { z } from "zod";

import { camelObject } from "../camel-shape";
import { trustedDomain, trustedDomains } from "../schemas/neon-auth-trusted-domain";
import { objectId } from "../schemas/wire";
import { lookup } from "./lookup";

/** The trusted domains of a branch's Neon Auth. */
export const getNeonAuthTrustedDomains = lookup("getNeonAuthTrustedDomains", {
  args: { projectId: objectId, branchId: objectId },
  result: z.array(camelObject(trustedDomain)),
  list: "domains",
  explanations: { 404: "The branch does not exist, or it does not have Neon Auth." },
  read: async ({ client }, { projectId, branchId }) =>
    (await client.send(trustedDomains.list(projectId, branchId))).domains,
});
