import { z } from "zod";

import { collect } from "../http/pagination";
import { customDomains } from "../schemas/custom-domain";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";

/** The custom domains of a branch. */
export const getCustomDomains = lookup("getCustomDomains", () => ({
  args: {
    projectId: idArgument.describe("Project of the branch."),
    branchId: idArgument.describe("Branch whose domains to list."),
  },
  result: z.array(
    z
      .strictObject({
        domain: z.string().describe("The domain."),
        entityId: z.string().describe("What it leads to: the slug of a function."),
        entityType: z.string().describe("The type of what it leads to: `function`."),
        cnameTarget: z
          .string()
          .describe("What its CNAME record has to name. Empty if the region has no custom domains."),
        status: z.string().optional().describe("`pending`, `active` or `error`. Absent right after the registration."),
        statusReason: z
          .string()
          .optional()
          .describe("Why the status is `error`, such as `cname-not-pointing-at-edge`. Empty if nothing is wrong."),
      })
      .meta({ title: "CustomDomainResult", description: "A custom domain of a branch." }),
  ),
  list: "customDomains",
  read: ({ client }, { projectId, branchId }) => collect(client.list(customDomains.list(projectId, branchId))),
}));
