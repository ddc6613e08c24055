import { z } from "zod";

import { path, request } from "../core/request";
import { postgresName } from "./postgres-name";
import { createdAt, emptyResponse, idOfBranch } from "./wire";

/** The provider of the sign-in. */
export const authProvider = z
  .enum(["better_auth", "stack", "mock"])
  .meta({ title: "NeonAuthProvider", description: "The provider of the sign-in of a {@link NeonAuth}." });
export type AuthProvider = z.infer<typeof authProvider>;

/** The Neon Auth integration of a branch. A branch has one or none. */
export const neonAuth = z.looseObject({
  branch_id: idOfBranch,
  auth_provider: z.string().describe("The provider of the sign-in, such as `better_auth`."),
  auth_provider_project_id: z.string().describe("Id of the project at the provider of the sign-in."),
  db_name: z.string().describe("Name of the database that has the schema `neon_auth` with the users."),
  owned_by: z.string().describe("The owner of the project at the provider: `neon` or `user`."),
  base_url: z
    .string()
    .optional()
    .describe("URL that the application sends its users' requests to: its `NEON_AUTH_BASE_URL`."),
  jwks_url: z.string().describe("URL of the keys that verify the users' tokens (JWT)."),
  name: z.string().optional().describe("Name of the application in e-mails to its users."),
  created_at: createdAt,
});
export type NeonAuth = z.infer<typeof neonAuth>;

export const neonAuthCreate = z.object({
  auth_provider: authProvider,
  database_name: postgresName.optional(),
});
export type NeonAuthCreate = z.infer<typeof neonAuthCreate>;

/** The response to a creation, the only one that contains the keys. Better Auth has no keys: then they are empty. */
export const neonAuthCreated = z.looseObject({
  ...neonAuth.pick({ auth_provider: true, auth_provider_project_id: true, jwks_url: true, base_url: true }).shape,
  pub_client_key: z
    .string()
    .describe("Key for the application's pages. Only `stack` has one. Absent after an adoption: Neon returns it once."),
  secret_server_key: z
    .string()
    .describe(
      "Key for the application's server. Only `stack` has one. Absent after an adoption: Neon returns it once.",
    ),
});

export const neonAuthDelete = z.object({
  /** Whether to delete the schema `neon_auth` with its users. Default: `false`. */
  delete_data: z.boolean().optional(),
});

/** The name of the application, in e-mails to its users. */
export const authConfigUpdate = z.object({ name: z.string().min(1).max(256) });

/** A switch, and its value in a new integration. */
const toggle = (description: string, initial: boolean) =>
  z.boolean().optional().meta({ description, default: initial });

export const emailAndPasswordUpdate = z.object({
  enabled: toggle("Whether users can sign in this way.", true),
  email_verification_method: z.enum(["link", "otp"]).optional().meta({
    description: "How addresses are verified: `link` sends a link, `otp` a one-time password.",
    default: "otp",
  }),
  require_email_verification: toggle("Whether users have to verify their address before they can sign in.", false),
  auto_sign_in_after_verification: toggle("Whether users are signed in once they have verified their address.", true),
  send_verification_email_on_sign_up: toggle("Whether users get a verification e-mail when they sign up.", false),
  send_verification_email_on_sign_in: toggle(
    "Whether users with an unverified address get a verification e-mail when they sign in.",
    false,
  ),
  disable_sign_up: toggle("Whether nobody can sign up any more.", false),
});
export type EmailAndPasswordUpdate = z.infer<typeof emailAndPasswordUpdate>;

/** The members of an e-mail provider that both types have. */
const sender = {
  sender_email: z
    .string()
    .min(1)
    .optional()
    .describe("Address that the e-mails are sent from. Required for `standard`."),
  sender_name: z.string().min(1).optional().describe("Name of the sender. Required for `standard`."),
};

/** The server that sends the e-mails: one of the platform that many projects share, or the user's own. */
export const emailProvider = z.object({
  type: z.enum(["standard", "shared"]).describe("`shared` for a server of Neon, `standard` for a server of your own."),
  host: z.string().min(1).optional().describe("Host of the server. Required for `standard`, and allowed only there."),
  port: z
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .describe("Port of the server, 1 to 65535. Required for `standard`, and allowed only there."),
  username: z
    .string()
    .min(1)
    .optional()
    .describe("User name on the server. Required for `standard`, and allowed only there."),
  ...sender,
});

/** The required members of the user's own server, except its password. */
export const serverMembers = ["host", "port", "username", "sender_email", "sender_name"] as const;

/**
 * The body that sets the e-mail provider. The newer published types (`@neon/sdk` 6) let a request omit what does not change,
 * the older document requires every member.
 */
export const emailProviderUpdate = z.discriminatedUnion("type", [
  z.object({ ...emailProvider.shape, type: z.literal("standard"), password: z.string().min(1).optional() }),
  z.object({ type: z.literal("shared"), ...sender }),
]);
export type EmailProviderUpdate = z.infer<typeof emailProviderUpdate>;

export const organizationPluginUpdate = z.object({
  enabled: toggle("Whether users can create organizations.", true),
  organization_limit: z
    .int32()
    .min(1)
    .optional()
    .meta({ description: "Number of organizations that a user can be in, at least 1.", default: 10 }),
  membership_limit: z
    .int32()
    .min(1)
    .optional()
    .meta({ description: "Number of members that an organization can have, at least 1.", default: 100 }),
  creator_role: z
    .enum(["admin", "owner"])
    .optional()
    .meta({ description: "Role of the user who creates an organization.", default: "owner" }),
  send_invitation_email: toggle("Whether users get an e-mail when they are invited.", false),
});
export const magicLinkPluginUpdate = z.object({
  enabled: toggle("Whether users can sign in this way.", false),
  expires_in: z
    .int()
    .min(5)
    .max(1440)
    .optional()
    .meta({ description: "Minutes until a link expires, 5 to 1440.", default: 5 }),
  disable_sign_up: toggle("Whether nobody can sign up this way.", false),
});
export const phoneNumberPluginUpdate = z.object({
  enabled: toggle("Whether users can sign in this way.", false),
  otp_expires_in: z
    .int()
    .min(60)
    .max(600)
    .optional()
    .meta({ description: "Seconds until a one-time password expires, 60 to 600.", default: 300 }),
});

/** Rejects whitespace: URL parsers remove it, and the platform would return another text than it got. */
export function isUri(text: string): boolean {
  return !/[\s\p{Cc}]/u.test(text) && URL.canParse(text);
}

/** The URL of a page, or of an API or MCP server that tokens are for. */
export const authUrl = z
  .string()
  .refine(isUri, 'must be a URL with its scheme, such as "https://shop.example.com/sign-in"');

/** The MCP server that tokens are for. A request replaces the whole. */
export const mcpResource = z.object({
  resource: authUrl.describe("URL of the MCP server."),
  dynamic_registration: z.boolean().optional().meta({
    description:
      "Whether MCP clients can register themselves (RFC 7591). Neon calls this legacy, and recommends `clientIdMetadataDocuments`.",
    default: false,
  }),
  client_id_metadata_documents: z
    .boolean()
    .optional()
    .describe("Whether MCP clients can identify themselves by the URL of a Client ID Metadata Document."),
});

export const oauthProviderPluginUpdate = z.object({
  enabled: z.boolean().optional().meta({
    description: "Whether Neon Auth issues tokens to OAuth clients.",
    note: "Only a root branch, one without a parent, can enable it.",
    default: false,
  }),
  login_page: authUrl
    .optional()
    .describe(
      "URL of your page that users sign in on. Its origin has to be a trusted domain: declare a {@link NeonAuthTrustedDomain}.",
    ),
  consent_page: authUrl
    .optional()
    .describe("URL of your page that asks users for consent. Its origin has to be a trusted domain, too."),
  mcp: mcpResource.optional().describe("The MCP server that users sign in to. A member that you omit stays as it is."),
  resources: z
    .array(authUrl)
    .optional()
    .describe("Identifiers of further APIs that tokens are for, as URLs in any order."),
});

const webhookEvents = [
  "user.before_create",
  "user.created",
  "send.otp",
  "send.magic_link",
  "organization.invitation.created",
  "organization.invitation.accepted",
  "phone_number.verified",
] as const;

export const webhookConfig = z.object({
  enabled: z.boolean().meta({ description: "Whether Neon calls the webhook.", default: false }),
  webhook_url: z.string().min(1).optional().describe("URL of the webhook."),
  enabled_events: z
    .array(
      z.enum(webhookEvents).meta({
        title: "NeonAuthWebhookEvent",
        description: "An event that a {@link NeonAuth} calls its webhook for.",
      }),
    )
    .optional()
    .describe("Events that the webhook is called for, in any order."),
  timeout_seconds: z
    .int()
    .min(1)
    .max(10)
    .optional()
    .meta({ description: "Seconds that Neon waits for an answer, 1 to 10.", default: 5 }),
});
export type WebhookConfig = z.infer<typeof webhookConfig>;

export const allowLocalhostUpdate = z.object({
  allow_localhost: z.boolean().describe("Whether users can be redirected to any port of `localhost`."),
});

/** A part of the configuration as the platform reports it. It may have values that this package does not know. */
const reported = z.looseObject({});

/** A part of the configuration that always has `enabled`. A response without it does not confirm a change. */
const configured = z.looseObject({ enabled: z.boolean() });
const named = z.looseObject({ name: z.string() });
const mailing = z.looseObject({ type: z.string() });
const localhost = z.looseObject({ allow_localhost: z.boolean() });

const pluginConfigs = z.looseObject({
  organization: reported.optional(),
  magic_link: reported.optional(),
  phone_number: reported.optional(),
  email_provider: reported.optional(),
  email_and_password: reported.optional(),
  allow_localhost: z.boolean().optional(),
});

/** The paths of the requests for a branch's Neon Auth. */
export function authPath(projectId: string, branchId: string, rest = ""): string {
  return `${path`/projects/${projectId}/branches/${branchId}/auth`}${rest}`;
}

/** Requests for the Neon Auth integration of a branch and its configuration. */
export const neonAuths = {
  get: (projectId: string, branchId: string) => request("GET", authPath(projectId, branchId), neonAuth),
  create: (projectId: string, branchId: string, body: NeonAuthCreate) =>
    request("POST", authPath(projectId, branchId), neonAuthCreated, { body }),
  /** The response has no body. */
  delete: (projectId: string, branchId: string, body: z.infer<typeof neonAuthDelete>) =>
    request("DELETE", authPath(projectId, branchId), emptyResponse, { body }),
  /** Returns the configuration without the name, the webhook, the OAuth provider, and the password of the e-mail provider. */
  getPlugins: (projectId: string, branchId: string) =>
    request("GET", authPath(projectId, branchId, "/plugins"), pluginConfigs),
  getWebhook: (projectId: string, branchId: string) =>
    request("GET", authPath(projectId, branchId, "/webhooks"), configured),
  setName: (projectId: string, branchId: string, name: string) =>
    request("PATCH", authPath(projectId, branchId, "/config"), named, { body: { name } }),
  updateEmailAndPassword: (projectId: string, branchId: string, body: EmailAndPasswordUpdate) =>
    request("PATCH", authPath(projectId, branchId, "/email_and_password"), configured, { body }),
  updateEmailProvider: (projectId: string, branchId: string, body: EmailProviderUpdate) =>
    request("PATCH", authPath(projectId, branchId, "/email_provider"), mailing, { body }),
  updateOrganizationPlugin: (projectId: string, branchId: string, body: z.infer<typeof organizationPluginUpdate>) =>
    request("PATCH", authPath(projectId, branchId, "/plugins/organization"), configured, { body }),
  updateMagicLinkPlugin: (projectId: string, branchId: string, body: z.infer<typeof magicLinkPluginUpdate>) =>
    request("PATCH", authPath(projectId, branchId, "/plugins/magic-link"), configured, { body }),
  updatePhoneNumberPlugin: (projectId: string, branchId: string, body: z.infer<typeof phoneNumberPluginUpdate>) =>
    request("PATCH", authPath(projectId, branchId, "/plugins/phone-number"), configured, { body }),
  getOauthProviderPlugin: (projectId: string, branchId: string) =>
    request("GET", authPath(projectId, branchId, "/plugins/oauth-provider"), configured),
  updateOauthProviderPlugin: (projectId: string, branchId: string, body: z.infer<typeof oauthProviderPluginUpdate>) =>
    request("PATCH", authPath(projectId, branchId, "/plugins/oauth-provider"), configured, { body }),
  /** Sets the whole webhook. */
  setWebhook: (projectId: string, branchId: string, body: WebhookConfig) =>
    request("PUT", authPath(projectId, branchId, "/webhooks"), configured, { body }),
  setAllowLocalhost: (projectId: string, branchId: string, allowLocalhost: boolean) =>
    request("PATCH", authPath(projectId, branchId, "/allow_localhost"), localhost, {
      body: { allow_localhost: allowLocalhost },
    }),
};
