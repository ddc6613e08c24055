import { z } from "zod";

import { path, request } from "../core/request";
import { timestamp } from "./wire";

/** An organization. */
export const organization = z.looseObject({
  id: z.string(),
  name: z.string(),
  handle: z.string(),
  plan: z.string(),
  managed_by: z.string().optional(),
  created_at: timestamp,
  updated_at: timestamp.optional(),
  allow_hipaa_projects: z.boolean().optional(),
  require_mfa: z.boolean().optional(),
});
export type Organization = z.infer<typeof organization>;

const organizationList = z.looseObject({ organizations: z.array(organization) });

/** Requests for organizations. */
export const organizations = {
  /** The organizations of the user; for an API key of an organization or project, the organization that owns it. */
  list: () => request("GET", "/users/me/organizations", organizationList),
  get: (orgId: string) => request("GET", path`/organizations/${orgId}`, organization),
};
