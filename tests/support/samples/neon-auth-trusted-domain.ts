import { onBranch, secret } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { KindSample } from "../sample";
import { branchWithAuth, enableAuth } from "./neon-auth";
import { branchPath, listed, posting } from "./object";

/** The domain to which users of a shop return after signing in. It must be encoded in an id. */
export const neonAuthTrustedDomain: KindSample = {
  kind: "NeonAuthTrustedDomain",
  creates: (declared) => [
    posting(`${branchPath(declared)}/auth/domains`, { domain: declared["domain"], auth_provider: "better_auth" }),
  ],
  declare: async (stage) => ({
    ...(await branchWithAuth(stage)),
    domain: `https://${stage.name("shop")}.example.com`,
  }),
  inPlace: () => [],
  replaces: async (_, stage) => ({
    createsFirst: { ...(await branchWithAuth(stage)), domain: "https://other.example.com" },
    deletesFirst: { authProvider: "mock" },
  }),
  ...listed((outputs) => `${branchPath(outputs)}/auth/domains`, "domain", { member: "domains", id: "domain" }),
  remove: async (stage, outputs) => {
    const { domain, authProvider } = outputs;
    const body = { auth_provider: authProvider, domains: [{ domain }] };
    await stage.platform.call("DELETE", `${branchPath(outputs)}/auth/domains`, body);
  },
  adopt: ({ domain }) => String(domain),
  replaced: {
    domain: undefined,
  },
  readAt: { path: /\/domains$/, isList: true },
  needs: [{ domain: "https://shop.example.com" }, "Declare a `NeonAuth` for the branch, and use"],
  prepareBranch: enableAuth,
  invalid: [
    { ...onBranch, domain: "https://shop.example" },
    [
      [{ domain: "shop.example" }, "domain", /must be a URI with its scheme/],
      [{ domain: "https://shop.example/" }, "domain", /must not end with a slash/],
      [{ domain: `https://ann:${secret}@shop.example`, adopt: true }, "domain", /must not contain a user name/],
      [{ authProvider: "keycloak" }, "authProvider", /"better_auth"/],
    ],
  ],
  facts: {
    ...usualFacts,
    path: "/projects/:projectId/branches/:branchId/auth/domains/:domain",
    isNamed: false,
    another: (declared, stage) => ({ ...declared, domain: `https://${stage.name("other")}.example.com` }),
  },
};
