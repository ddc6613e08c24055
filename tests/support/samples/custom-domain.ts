import { onBranch } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { KindSample } from "../sample";
import { branchWithFunctions, prepareFunctions } from "./function";
import { branchPath, elsewhere, posting } from "./object";

/** A domain in another spelling than Neon's. */
export const customDomain: KindSample = {
  kind: "CustomDomain",
  creates: (declared) => [
    posting(`${branchPath(declared)}/custom-domains`, {
      domain: declared["domain"],
      entity_type: "function",
      entity_id: "api",
    }),
  ],
  declare: async (stage) => ({
    ...(await branchWithFunctions(stage)),
    domain: `${stage.name("api")}.example.com`,
    entityId: "api",
  }),
  inPlace: () => [],
  replaces: async ({ projectId }, stage) => ({
    createsFirst: { domain: `${stage.name("other")}.example.com` },
    deletesFirst: { ...(await elsewhere(stage, projectId)), entityId: "web", entityType: "queue" },
  }),
  list: { member: "custom_domains", id: "domain" },
  // Only a refresh reads the status.
  lostOnAdoption: ["status"],
  replaced: {
    entityId:
      /^Changing `entityId` replaces this custom domain\. The old registration is deleted\. .* requests to the domain fail until/,
  },
  needs: [{ domain: "api.example.com", entityId: "api" }, "Declare a `Function` on the branch"],
  prepareBranch: prepareFunctions,
  readAt: { path: /\/custom-domains$/, isList: true },
  invalid: [
    { ...onBranch, domain: "api.example.com", entityId: "api" },
    [
      [{ domain: "ab" }, "domain", /at least 3 characters/],
      [{ domain: "x".repeat(255) }, "domain", /at most 254/],
      ...[
        "http://a.example.com",
        "*.example.com",
        "a..example.com",
        "localhost",
        "a.example.com/path",
        "-a.example.com",
      ].map((domain) => [{ domain }, "domain", /^must be the name of a host/] as const),
      ...["shop.neon.tech", "Neon.com.", "shop.localhost"].map(
        (domain) => [{ domain }, "domain", "must not be a host of Neon"] as const,
      ),
      [{ domain: undefined }, "domain", "is required"],
      [{ entityId: "" }, "entityId", /at least 1 character/],
    ],
  ],
  facts: {
    ...usualFacts,
    path: "/projects/:projectId/branches/:branchId/custom-domains/:domain",
    isNamed: false,
    another: (declared, stage) => ({ ...declared, domain: `${stage.name("other")}.example.com` }),
  },
};
