import { z } from "zod";

import { request } from "../core/request";
import { authPath, type AuthProvider, authProvider, isUri } from "./neon-auth";
import { emptyResponse } from "./wire";

const providerWords = "The provider of the branch's Neon Auth.";

/** A domain that users may be redirected to after signing in. */
export const trustedDomain = z.looseObject({
  domain: z.string().describe("The domain as a URI with its scheme, such as `https://shop.example.com`."),
  auth_provider: z.string().describe(providerWords),
});
export type TrustedDomain = z.infer<typeof trustedDomain>;

const domain = z.string().refine(isUri, 'must be a URI with its scheme, such as "https://shop.example.com"');

export const trustedDomainCreate = z.object({ domain, auth_provider: authProvider.describe(providerWords) });

const trustedDomainList = z.looseObject({ domains: z.array(trustedDomain) });

/** Requests for the trusted domains of a branch's Neon Auth. Responses to changes have no body. */
export const trustedDomains = {
  list: (projectId: string, branchId: string) =>
    request("GET", authPath(projectId, branchId, "/domains"), trustedDomainList),
  add: (projectId: string, branchId: string, uri: string, provider: AuthProvider) =>
    request("POST", authPath(projectId, branchId, "/domains"), emptyResponse, {
      body: { domain: uri, auth_provider: provider },
    }),
  delete: (projectId: string, branchId: string, uri: string, provider: AuthProvider) =>
    request("DELETE", authPath(projectId, branchId, "/domains"), emptyResponse, {
      body: { auth_provider: provider, domains: [{ domain: uri }] },
    }),
};
