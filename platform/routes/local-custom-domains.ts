import { z } from "zod";

import type { LocalPaths } from "../http/local-route";
import { validate } from "../http/validation";
import { setDnsStatus } from "../model/branches/custom-domain";
import { dnsStatuses } from "../model/branches/custom-domain-row";

const input = z.strictObject({ dns_status: z.enum(dnsStatuses) });

/** What the check of the DNS records of a domain finds, because there is no DNS here. */
export const localDomainPaths: LocalPaths = {
  "/local/custom-domains/:domain": {
    PUT: {
      handle: ({ controlPlane, parameter, body }) => ({
        domain: setDnsStatus(controlPlane, parameter("domain"), validate(input, body, "body").dns_status),
      }),
    },
  },
};
