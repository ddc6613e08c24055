import { z } from "zod";

import { path, request } from "../core/request";
import { authPath } from "./neon-auth";
import { emptyResponse } from "./wire";

/** The services that users can sign in with. */
export const oauthProviderId = z.enum(["google", "github", "microsoft", "vercel"]);

/**
 * A service that users of a branch can sign in with. It uses an OAuth application of the account (`standard`), or one
 * of the platform that many projects share (`shared`).
 */
export const oauthProvider = z.looseObject({
  id: z.string().describe("The service, such as `google`."),
  type: z.string().describe("`standard` for an application of your own, `shared` for one of Neon."),
  client_id: z.string().optional().describe("Id of the application at the service."),
});
export type OauthProvider = z.infer<typeof oauthProvider>;

/** The body that changes a provider. Omitted members stay as they are. */
export const oauthProviderUpdate = z.object({
  client_id: z.string().min(1).optional(),
  client_secret: z.string().min(1).optional().describe("Secret of your application at the service."),
  microsoft_tenant_id: z.string().min(1).optional().describe("Id of the tenant, for `microsoft`."),
});
export type OauthProviderUpdate = z.infer<typeof oauthProviderUpdate>;

/** The body that adds a provider. Without a client, it uses the application that projects share. */
export const oauthProviderCreate = z.object({ id: oauthProviderId, ...oauthProviderUpdate.shape });
export type OauthProviderCreate = z.infer<typeof oauthProviderCreate>;

const oauthProviderList = z.looseObject({ providers: z.array(oauthProvider) });

/** Requests for the OAuth providers of a branch's Neon Auth. There is no request for a single one: search the list. */
export const oauthProviders = {
  list: (projectId: string, branchId: string) =>
    request("GET", authPath(projectId, branchId, "/oauth_providers"), oauthProviderList),
  create: (projectId: string, branchId: string, body: OauthProviderCreate) =>
    request("POST", authPath(projectId, branchId, "/oauth_providers"), oauthProvider, { body }),
  update: (projectId: string, branchId: string, id: string, body: OauthProviderUpdate) =>
    request("PATCH", authPath(projectId, branchId, path`/oauth_providers/${id}`), oauthProvider, { body }),
  /** The response has no body. */
  delete: (projectId: string, branchId: string, id: string) =>
    request("DELETE", authPath(projectId, branchId, path`/oauth_providers/${id}`), emptyResponse),
};
