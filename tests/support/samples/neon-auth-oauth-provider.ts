import type { Values } from "../provider-server";
import { onBranch } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { ExpectedRequest, KindSample } from "../sample";
import { branchWithAuth, enableAuth } from "./neon-auth";
import { branchPath, listed, posting } from "./object";

function changing(body: Values): ExpectedRequest {
  return { method: "PATCH", path: /\/auth\/oauth_providers\/microsoft$/, body };
}

/** The only service with a tenant. */
export const neonAuthOauthProvider: KindSample = {
  kind: "NeonAuthOauthProvider",
  creates: (declared) => [
    posting(`${branchPath(declared)}/auth/oauth_providers`, {
      id: "microsoft",
      client_id: "store",
      client_secret: "[secret]",
      microsoft_tenant_id: "fabrikam",
    }),
  ],
  secrets: ["clientSecret"],
  declare: async (stage) => ({
    ...(await branchWithAuth(stage)),
    providerId: "microsoft",
    clientId: "shop",
    clientSecret: "first secret",
    microsoftTenantId: "contoso",
  }),
  inPlace: () => [
    { input: "clientId", to: "store", sends: [changing({ client_id: "store" })] },
    {
      input: "clientSecret",
      to: "second secret",
      sends: [{ ...changing({ client_secret: "[secret]" }), isRepeated: true }],
    },
    {
      input: "microsoftTenantId",
      to: "fabrikam",
      sends: [{ ...changing({ microsoft_tenant_id: "fabrikam" }), isRepeated: true }],
    },
  ],
  replaces: async (_, stage) => ({ createsFirst: { ...(await branchWithAuth(stage)), providerId: "github" } }),
  ...listed((outputs) => `${branchPath(outputs)}/auth/oauth_providers`, "providerId", { member: "providers" }),
  adopt: ({ providerId }) => String(providerId),
  sentOnAdoption: [changing({ client_secret: "[secret]", microsoft_tenant_id: "fabrikam" })],
  replaced: {
    providerId: /^Changing `providerId` replaces this OAuth provider\. Users cannot sign in/,
  },
  readAt: { path: /\/oauth_providers$/, isList: true },
  needs: [{ providerId: "google" }, "Declare a `NeonAuth` for the branch, and use"],
  prepareBranch: enableAuth,
  invalid: [
    { ...onBranch, providerId: "github" },
    [
      [{ providerId: "gitlab" }, "providerId", /"google" or "github" or "microsoft" or "vercel"/],
      [{ clientSecret: "" }, "clientSecret", /at least 1 character/],
    ],
  ],
  facts: {
    ...usualFacts,
    path: "/projects/:projectId/branches/:branchId/auth/oauth_providers/:providerId",
    isNamed: false,
    another: (declared) => ({ ...declared, providerId: "vercel" }),
  },
};
