import { z } from "zod";

import { type PagedRequest, path, request } from "../core/request";
import { emptyResponse, nextPagination } from "./wire";

/** The body that registers a domain. The same domain with the same target can be registered again. */
export const customDomainRegister = z.object({
  /** Neon makes it lower case, and removes a dot at its end. */
  domain: z.string().min(3).max(254),
  /** Only `function` is published. */
  entity_type: z.string().min(1),
  /** The slug of the function. */
  entity_id: z.string().min(1),
});
type CustomDomainRegister = z.infer<typeof customDomainRegister>;

/** A domain that leads to a function of a branch. Its status follows from its DNS records. */
export const customDomain = z.looseObject({
  domain: z.string(),
  entity_type: z.string(),
  entity_id: z.string(),
  /** What the CNAME record of the domain has to name. Empty if the region has no such host. */
  cname_target: z.string(),
  /** `pending`, `active` or `error`. Absent for a moment after the registration. */
  status: z.string().optional(),
  /** `pending`, `ok`, `misconfigured` or `caa_blocked`. */
  dns_status: z.string().optional(),
  /** `pending`, `present` or `missing`. */
  binding_status: z.string().optional(),
  /** Empty if nothing is wrong. */
  status_reason: z.string().optional(),
});
export type CustomDomain = z.infer<typeof customDomain>;

const domainPage = z.looseObject({ custom_domains: z.array(customDomain), pagination: nextPagination.optional() });

/** Requests for the custom domains of a branch. There is no request for a single one: search the list. */
export const customDomains = {
  list: (projectId: string, branchId: string): PagedRequest<CustomDomain, z.infer<typeof domainPage>> => ({
    method: "GET",
    path: path`/projects/${projectId}/branches/${branchId}/custom-domains`,
    schema: domainPage,
    items: (page) => page.custom_domains,
    cursor: (page) => page.pagination?.next,
    isCursorOptional: true,
    maxPageSize: 1000,
  }),
  register: (projectId: string, branchId: string, body: CustomDomainRegister) =>
    request("POST", path`/projects/${projectId}/branches/${branchId}/custom-domains`, customDomain, { body }),
  delete: (projectId: string, branchId: string, domain: string) =>
    request("DELETE", path`/projects/${projectId}/branches/${branchId}/custom-domains/${domain}`, emptyResponse),
};
