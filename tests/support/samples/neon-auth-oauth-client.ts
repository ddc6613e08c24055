import type { Values } from "../provider-server";
import { onBranch } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { ExpectedRequest, KindSample } from "../sample";
import type { Stage } from "../stage";
import { api, enableOauthProvider, mcp } from "./neon-auth";
import { branchPath, listed, posting } from "./object";

/** The branch of an unmanaged project, whose Neon Auth is an OAuth provider. */
async function branchWithProvider(stage: Stage): Promise<Values> {
  const { id: projectId, branchId } = await stage.project();
  await enableOauthProvider(stage, { projectId, branchId });
  return { projectId, branchId };
}

function changing(body: Values): ExpectedRequest {
  return { method: "PATCH", path: /\/oauth-provider\/clients\/[^/]+$/, body };
}

const redirectUris = ["https://partner.example.com/callback", "http://localhost:3000/callback"];

/** The application of a partner. */
export const neonAuthOauthClient: KindSample = {
  kind: "NeonAuthOauthClient",
  creates: (declared) => [
    posting(`${branchPath(declared)}/auth/oauth-provider/clients`, {
      name: declared["name"],
      type: "confidential",
      redirect_uris: redirectUris,
      resources: [mcp, api],
      skip_consent: true,
    }),
    changing({ disabled: true }),
  ],
  secrets: ["clientSecret"],
  lostOnAdoption: ["clientSecret"],
  renewsLostSecret: true,
  declare: async (stage) => ({
    ...(await branchWithProvider(stage)),
    name: stage.name("partner"),
    type: "confidential",
    redirectUris: redirectUris.slice(0, 1),
    resources: [api],
  }),
  inPlace: ({ name }, { clientId }) => [
    { input: "name", to: `${String(name)}-renamed`, sends: [changing({ name: `${String(name)}-renamed` })] },
    { input: "redirectUris", to: redirectUris, sends: [changing({ redirect_uris: redirectUris })] },
    { input: "resources", to: [mcp, api], sends: [changing({ resources: [mcp, api] })] },
    { input: "skipConsent", to: true, sends: [changing({ skip_consent: true })] },
    { input: "disabled", to: true, sends: [changing({ disabled: true })] },
    {
      input: "rotateTrigger",
      to: "summer",
      sends: [{ method: "POST", path: new RegExp(`/clients/${String(clientId)}/rotate_secret$`), isRepeated: true }],
    },
  ],
  replaces: async (_, stage) => ({ createsFirst: { ...(await branchWithProvider(stage)), type: "public" } }),
  ...listed((outputs) => `${branchPath(outputs)}/auth/oauth-provider/clients`, "clientId", {
    member: "clients",
    id: "client_id",
  }),
  adopt: ({ clientId }) => String(clientId),
  replaced: {
    type: /^Changing `type` replaces this OAuth client\. The new client has another id/,
  },
  readAt: { path: /\/oauth-provider\/clients$/, isList: true },
  needs: [
    { type: "public", redirectUris: redirectUris.slice(0, 1), resources: [] },
    "Declare `plugins: { oauthProvider:",
  ],
  prepareBranch: enableOauthProvider,
  invalid: [
    { ...onBranch, type: "confidential", redirectUris: redirectUris.slice(0, 1), resources: [api] },
    [
      [{ type: "secret" }, "type", /"confidential" or "public"/],
      [{ type: "public", rotateTrigger: "1" }, "rotateTrigger", /only for the type "confidential"/],
      [{ redirectUris: [] }, "redirectUris", /at least 1/],
      [{ redirectUris: ["http://partner.example.com"] }, "redirectUris.0", /must be an https URL/],
      [{ redirectUris: ["/callback"] }, "redirectUris.0", /must be an https URL/],
      [{ resources: [""] }, "resources.0", /at least 1 character/],
      [{ name: "" }, "name", /at least 1 character/],
      [{ adopt: true }, "adopt", /must be the id of a client/],
    ],
  ],
  facts: {
    ...usualFacts,
    path: "/projects/:projectId/branches/:branchId/auth/oauth-provider/clients/:clientId",
    twice: "another",
    isAdoptedByName: false,
  },
};
