import { z } from "zod";

import { pagedRequest, path, request } from "../core/request";
import { emptyResponse, nextPagination } from "./wire";

/** The body that registers a domain. The same domain with the same target can be registered again. */
export const customDomainRegister = z.object({
  /** Neon converts the name to lower case, and removes a trailing dot. */
  domain: z.string().min(3).max(254),
  /** Only `function` is published. */
  entity_type: z.string().min(1),
  entity_id: z.string().min(1),
});
type CustomDomainRegister = z.infer<typeof customDomainRegister>;

/** A domain that leads to a function of a branch. Its status follows from its DNS records. */
export const customDomain = z.looseObject({
  domain: z.string().describe("The domain, such as `api.example.com`."),
  entity_id: z.string().describe("The target of the domain: the slug of a function."),
  entity_type: z.string().describe("The type of what the domain leads to. Neon knows `function` only."),
  cname_target: z
    .string()
    .describe(
      "The target that the domain's CNAME record has to name. The record must be for DNS only, without a proxy. Empty if the region has no custom domains.",
    ),
  status: z.string().optional().describe("`pending`, `active` or `error`. Absent right after the registration."),
  /** `pending`, `ok`, `misconfigured` or `caa_blocked`. */
  dns_status: z.string().optional(),
  /** `pending`, `present` or `missing`. */
  binding_status: z.string().optional(),
  status_reason: z
    .string()
    .optional()
    .describe("Why the status is `error`, such as `cname-not-pointing-at-edge`. Empty if nothing is wrong."),
});
export type CustomDomain = z.infer<typeof customDomain>;

const domainPage = z.looseObject({ custom_domains: z.array(customDomain), pagination: nextPagination.optional() });

/** Requests for the custom domains of a branch. There is no request for a single one: search the list. */
export const customDomains = {
  list: (projectId: string, branchId: string) =>
    pagedRequest("next", path`/projects/${projectId}/branches/${branchId}/custom-domains`, domainPage, {
      items: (page) => page.custom_domains,
      maxPageSize: 1000,
    }),
  register: (projectId: string, branchId: string, body: CustomDomainRegister) =>
    request("POST", path`/projects/${projectId}/branches/${branchId}/custom-domains`, customDomain, { body }),
  delete: (projectId: string, branchId: string, domain: string) =>
    request("DELETE", path`/projects/${projectId}/branches/${branchId}/custom-domains/${domain}`, emptyResponse),
};
