import { z } from "zod";

import { path, request } from "../core/request";
import { createdAt, updatedAt } from "./wire";

/** An organization. */
export const organization = z.looseObject({
  id: z.string().describe("Id of the organization, such as `org-quiet-river-302709`."),
  name: z.string().describe("Name of the organization. Names are not unique."),
  handle: z.string().describe("Name of the organization in URLs."),
  plan: z.string().describe("Plan of the organization, such as `scale`."),
  managed_by: z.string().optional().describe("The manager of the organization. `console`: people, in Neon's console."),
  created_at: createdAt,
  updated_at: updatedAt,
  allow_hipaa_projects: z
    .boolean()
    .optional()
    .describe("Whether projects of the organization can enable HIPAA compliance."),
  require_mfa: z.boolean().optional().describe("Whether members must sign in with a second factor."),
});
export type Organization = z.infer<typeof organization>;

const organizationList = z.looseObject({ organizations: z.array(organization) });

/** Requests for organizations. */
export const organizations = {
  /**
   * Lists the organizations of the user. For an API key of an organization or project, lists the organization that owns
   * the key.
   */
  list: () => request("GET", "/users/me/organizations", organizationList),
  get: (orgId: string) => request("GET", path`/organizations/${orgId}`, organization),
};
