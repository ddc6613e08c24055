import { z } from "zod";

import { collect } from "../http/pagination";
import { customDomain, customDomains } from "../schemas/custom-domain";
import { ofBranch } from "./id-argument";
import { lookup } from "./lookup";
import { resultOf } from "./result";

/** The custom domains of a branch. */
export const getCustomDomains = lookup("getCustomDomains", () => ({
  args: ofBranch,
  result: z.array(
    resultOf(
      customDomain.omit({ dns_status: true, binding_status: true }),
      "CustomDomainResult",
      "A custom domain of a branch.",
    ),
  ),
  list: "customDomains",
  read: ({ client }, { projectId, branchId }) => collect(client.list(customDomains.list(projectId, branchId))),
}));
