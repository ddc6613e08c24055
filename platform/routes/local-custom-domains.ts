import { z } from "zod";

import type { LocalPaths } from "../http/local-route";
import { dnsStatuses } from "../model/branches/custom-domain";
import { validate } from "../model/routing/validation";

const input = z.strictObject({ dns_status: z.enum(dnsStatuses) });

/** Sets the result of the check of a domain's DNS records, because there is no DNS here. */
export const localDomainPaths: LocalPaths = {
  "/local/custom-domains/:domain": {
    PUT: {
      handle: ({ controlPlane: { tables }, parameter, body }) => {
        const { dns_status } = validate(input, body, "body");
        const found = tables.customDomains.getOr404("custom domain", { domain: parameter("domain") });
        const domain = { ...found, dns_status };
        tables.customDomains.put(domain);
        return { domain };
      },
    },
  },
};
