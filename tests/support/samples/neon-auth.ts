import type { Values } from "../provider-server";
import { onBranch, secret } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { ExpectedRequest, KindSample } from "../sample";
import type { Stage } from "../stage";
import { addressed, branchPath, posting } from "./object";

/** A server that sends e-mails. */
export const mailServer = {
  type: "standard",
  host: "smtp.example.com",
  port: 587,
  username: "shop",
  senderEmail: "shop@example.com",
  senderName: "Shop",
} as const;

const mailBody = {
  type: "standard",
  host: "smtp.example.com",
  port: 587,
  username: "shop",
  sender_email: "shop@example.com",
  sender_name: "Shop",
};

/** Enables Neon Auth on an unmanaged branch. */
export async function enableAuth(stage: Stage, branch: Values): Promise<void> {
  await stage.platform.call("POST", `${branchPath(branch)}/auth`, { auth_provider: "better_auth" });
}

/** The branch of an unmanaged project, with Neon Auth. */
export async function branchWithAuth(stage: Stage): Promise<{ readonly projectId: string; readonly branchId: string }> {
  const { id: projectId, branchId } = await stage.project();
  await enableAuth(stage, { projectId, branchId });
  return { projectId, branchId };
}

function changing(path: string, body: Values, method: "PATCH" | "PUT" = "PATCH"): ExpectedRequest {
  return { method, path: new RegExp(`/auth/${path}$`), body };
}

const shop = "https://shop.example.com";
/** The resources for which the samples' OAuth providers issue tokens. */
export const api = "https://api.shop.example.com";
export const mcp = "https://mcp.shop.example.com/mcp";

/** The declared OAuth provider of a Neon Auth whose clients are samples. */
export const oauthProvider = { enabled: true, mcp: { resource: mcp }, resources: [api] };

/** Makes the Neon Auth of a branch an OAuth provider. A branch cannot become one if its parent is none. */
export async function enableOauthProvider(stage: Stage, branch: Values): Promise<void> {
  await enableAuth(stage, branch);
  await stage.platform.call("PATCH", `${branchPath(branch)}/auth/plugins/oauth-provider`, oauthProvider);
}

/** The final declaration of the plugins, and the requests for it. */
const plugins = {
  organization: { membershipLimit: 5 },
  phoneNumber: { enabled: true, otpExpiresIn: 120 },
  oauthProvider: {
    enabled: true,
    loginPage: `${shop}/sign-in`,
    consentPage: `${shop}/consent`,
    mcp: { resource: mcp, clientIdMetadataDocuments: true },
    resources: [`${shop}/api`],
  },
};
const ofPlugins = [
  changing("plugins/organization", { membership_limit: 5 }),
  changing("plugins/phone-number", { enabled: true, otp_expires_in: 120 }),
  changing("plugins/oauth-provider", {
    enabled: true,
    login_page: `${shop}/sign-in`,
    consent_page: `${shop}/consent`,
    mcp: { resource: mcp, client_id_metadata_documents: true },
    resources: [`${shop}/api`],
  }),
];

/** The sign-in of a shop's users, with an e-mail server whose password the platform never returns. */
export const neonAuth: KindSample = {
  kind: "NeonAuth",
  creates: (declared) => [
    posting(`${branchPath(declared)}/auth`, { auth_provider: "better_auth" }),
    changing("config", { name: "Shop" }),
    changing("email_provider", { ...mailBody, port: 465, password: "[secret]" }),
    changing("email_and_password", { email_verification_method: "link", require_email_verification: true }),
    changing(
      "webhooks",
      {
        enabled: true,
        webhook_url: "https://shop.example.com/hooks",
        enabled_events: ["user.created", "send.otp"],
      },
      "PUT",
    ),
    ...ofPlugins,
    changing("allow_localhost", { allow_localhost: false }),
  ],
  secrets: ["emailProviderPassword", "secretServerKey"],
  declare: async (stage) => {
    const { id, branchId } = await stage.project();
    return { projectId: id, branchId, emailProvider: mailServer, emailProviderPassword: "first password" };
  },
  inPlace: () => [
    {
      input: "emailProvider.port",
      to: { ...mailServer, port: 465 },
      sends: [changing("email_provider", { ...mailBody, port: 465, password: "[secret]" })],
    },
    {
      input: "emailProviderPassword",
      to: "second password",
      sends: [{ ...changing("email_provider", { ...mailBody, port: 465, password: "[secret]" }), isRepeated: true }],
    },
    {
      input: "emailAndPassword",
      to: { emailVerificationMethod: "link", requireEmailVerification: true },
      sends: [changing("email_and_password", { email_verification_method: "link", require_email_verification: true })],
    },
    {
      input: "plugins.magicLink",
      to: { magicLink: { enabled: true, expiresIn: 15 } },
      sends: [changing("plugins/magic-link", { enabled: true, expires_in: 15 })],
    },
    { input: "plugins", to: plugins, sends: ofPlugins },
    {
      input: "webhooks",
      to: { enabled: true, webhookUrl: "https://shop.example.com/hooks", enabledEvents: ["user.created", "send.otp"] },
      sends: [
        changing(
          "webhooks",
          {
            enabled: true,
            webhook_url: "https://shop.example.com/hooks",
            enabled_events: ["user.created", "send.otp"],
          },
          "PUT",
        ),
      ],
    },
    { input: "name", to: "Shop", sends: [changing("config", { name: "Shop" })] },
    { input: "allowLocalhost", to: false, sends: [changing("allow_localhost", { allow_localhost: false })] },
    { input: "deleteData", to: true, sends: [] },
  ],
  replaces: async ({ projectId }, stage) => {
    const { id } = await stage.project();
    const root = await stage.branch(String(projectId), { branch: { init_source: "schema-only" } });
    return {
      createsFirst: { projectId: id, branchId: root.id },
      deletesFirst: { authProvider: "mock", databaseName: "shop" },
    };
  },
  ...addressed((outputs) => `${branchPath(outputs)}/auth`),
  adopt: ({ branchId }) => String(branchId),
  sentOnAdoption: [changing("email_provider", { ...mailBody, port: 465, password: "[secret]" })],
  replaced: {
    authProvider:
      /^Changing `authProvider` replaces this Neon Auth integration\. Users can no longer sign in with the old one\. .* nobody can sign in until/,
  },
  needs: [{ databaseName: "nothing" }, "use the output `name` as `databaseName`"],
  invalid: [
    { ...onBranch, emailProvider: mailServer, emailProviderPassword: "a password" },
    [
      [{ branchId: undefined }, "branchId", "is required"],
      [{ authProvider: "keycloak" }, "authProvider", /"better_auth" or "stack" or "mock"/],
      [{ name: "" }, "name", /at least 1 character/],
      [
        { emailProvider: undefined, emailProviderPassword: secret },
        "emailProviderPassword",
        /needs an `emailProvider` of the type "standard"/,
      ],
      [
        { emailProvider: { ...mailServer, host: undefined } },
        "emailProvider.host",
        'is required for the type "standard"',
      ],
      [
        { emailProvider: { type: "shared", port: 25 }, emailProviderPassword: undefined },
        "emailProvider.port",
        /only for the type "standard"/,
      ],
      [{ plugins: { magicLink: { expiresIn: 4 } } }, "plugins.magicLink.expiresIn", /at least 5/],
      [{ plugins: { phoneNumber: { otpExpiresIn: 601 } } }, "plugins.phoneNumber.otpExpiresIn", /at most 600/],
      [{ plugins: { oauthProvider: { mcp: {} } } }, "plugins.oauthProvider.mcp.resource", "is required"],
      [{ plugins: { oauthProvider: { loginPage: "/sign-in" } } }, "plugins.oauthProvider.loginPage", /must be a URL/],
      [{ webhooks: { webhookUrl: "https://shop.example" } }, "webhooks.enabled", "is required"],
      [{ webhooks: { enabled: true, timeoutSeconds: 11 } }, "webhooks.timeoutSeconds", /at most 10/],
    ],
  ],
  facts: {
    ...usualFacts,
    path: "/projects/:projectId/branches/:branchId/auth",
    isNamed: false,
    another: async (declared, stage) => {
      const { id } = await stage.branch(String(declared["projectId"]), { branch: { init_source: "schema-only" } });
      return { ...declared, branchId: id };
    },
  },
};
