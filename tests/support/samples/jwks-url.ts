import { inProject, keysUrl } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { KindSample } from "../sample";
import { posting } from "./object";

/** The key set of an issuer, for all branches. */
export const jwksUrl: KindSample = {
  kind: "JwksUrl",
  creates: ({ projectId, jwksUrl: url }) => [
    posting(`/projects/${String(projectId)}/jwks`, { jwks_url: url, provider_name: "Auth0" }),
  ],
  declare: async (stage) => {
    const { id } = await stage.project();
    return { projectId: id, jwksUrl: `https://auth.example.com/${stage.name("keys")}`, providerName: "Auth0" };
  },
  inPlace: () => [],
  replaces: async ({ jwksUrl: url }, stage) => {
    const { id, branchId } = await stage.project();
    return {
      createsFirst: { projectId: id, jwksUrl: `${String(url)}/2` },
      deletesFirst: {
        providerName: "Clerk",
        branchId,
        jwtAudience: "shop",
        roleNames: ["guest"],
        skipRoleCreation: true,
      },
    };
  },
  list: { member: "jwks" },
  replaced: {
    jwksUrl: undefined,
    providerName: undefined,
  },
  readAt: { path: /\/jwks$/, isList: true },
  invalid: [
    { ...inProject, jwksUrl: keysUrl, providerName: "Auth0" },
    [
      [{ jwksUrl: "http://auth.example.com/jwks.json" }, "jwksUrl", /must be an https URL/],
      [{ jwksUrl: "auth.example.com" }, "jwksUrl", /must be an https URL/],
      [{ providerName: "" }, "providerName", /at least 1/],
      [{ jwtAudience: "" }, "jwtAudience", /at least 1/],
      [{ roleNames: Array.from({ length: 11 }, (_, index) => `r${index}`) }, "roleNames", /at most 10 entries/],
      [{ roleNames: ["pg_app"] }, "roleNames.0", /^is reserved/],
      [{ roleNames: ["x".repeat(64)] }, "roleNames.0", /at most 63 bytes/],
      [{ providerName: undefined }, "providerName", "is required"],
    ],
  ],
  facts: {
    ...usualFacts,
    path: "/projects/:projectId/jwks/:jwksId",
    isNamed: false,
    another: (declared, stage) => ({ ...declared, jwksUrl: `https://auth.example.com/${stage.name("keys")}` }),
  },
};
