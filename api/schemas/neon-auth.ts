import { z } from "zod";

import { path, request } from "../core/request";
import { postgresName } from "./postgres-name";
import { emptyResponse, timestamp } from "./wire";

/** What provides the sign-in: `better_auth`, or the deprecated `stack`, or `mock` for tests. */
export const authProvider = z.enum(["better_auth", "stack", "mock"]);
export type AuthProvider = z.infer<typeof authProvider>;

/** The Neon Auth integration of a branch. A branch has one or none. */
export const neonAuth = z.looseObject({
  auth_provider: z.string(),
  auth_provider_project_id: z.string(),
  branch_id: z.string(),
  db_name: z.string(),
  created_at: timestamp,
  owned_by: z.string(),
  jwks_url: z.string(),
  base_url: z.string().optional(),
  name: z.string().optional(),
});
export type NeonAuth = z.infer<typeof neonAuth>;

export const neonAuthCreate = z.object({
  auth_provider: authProvider,
  /** Default: the branch's first database. */
  database_name: postgresName.optional(),
});
export type NeonAuthCreate = z.infer<typeof neonAuthCreate>;

/** The keys are returned here only. Better Auth has none: they are empty then. */
const neonAuthCreated = z.looseObject({
  auth_provider: z.string(),
  auth_provider_project_id: z.string(),
  pub_client_key: z.string(),
  secret_server_key: z.string(),
  jwks_url: z.string(),
  base_url: z.string().optional(),
});

export const neonAuthDelete = z.object({
  /** Whether to delete the schema `neon_auth` with its users. Default: `false`. */
  delete_data: z.boolean().optional(),
});

/** The name of the application, in e-mails to its users. */
export const authConfigUpdate = z.object({ name: z.string().min(1).max(256) });

export const emailAndPasswordUpdate = z.object({
  enabled: z.boolean().optional(),
  email_verification_method: z.enum(["link", "otp"]).optional(),
  require_email_verification: z.boolean().optional(),
  auto_sign_in_after_verification: z.boolean().optional(),
  send_verification_email_on_sign_up: z.boolean().optional(),
  send_verification_email_on_sign_in: z.boolean().optional(),
  disable_sign_up: z.boolean().optional(),
});
export type EmailAndPasswordUpdate = z.infer<typeof emailAndPasswordUpdate>;

/** The members of an e-mail provider that both types have. */
const sender = { sender_email: z.string().min(1).optional(), sender_name: z.string().min(1).optional() };

/** What sends the e-mails: a server of the platform, which many projects share, or one of the user. */
export const emailProvider = z.object({
  type: z.enum(["standard", "shared"]),
  host: z.string().min(1).optional(),
  port: z.int().min(1).max(65_535).optional(),
  username: z.string().min(1).optional(),
  ...sender,
});

/** The members that a server of the user has to have. The password is the last one. */
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
  enabled: z.boolean().optional(),
  organization_limit: z.int32().min(1).optional(),
  membership_limit: z.int32().min(1).optional(),
  creator_role: z.enum(["admin", "owner"]).optional(),
  send_invitation_email: z.boolean().optional(),
});
export const magicLinkPluginUpdate = z.object({
  enabled: z.boolean().optional(),
  /** In minutes. */
  expires_in: z.int().min(5).max(1440).optional(),
  disable_sign_up: z.boolean().optional(),
});
export const phoneNumberPluginUpdate = z.object({
  enabled: z.boolean().optional(),
  /** In seconds. */
  otp_expires_in: z.int().min(60).max(600).optional(),
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
  enabled: z.boolean(),
  webhook_url: z.string().min(1).optional(),
  enabled_events: z.array(z.enum(webhookEvents)).optional(),
  timeout_seconds: z.int().min(1).max(10).optional(),
});
export type WebhookConfig = z.infer<typeof webhookConfig>;

export const allowLocalhostUpdate = z.object({ allow_localhost: z.boolean() });

/** A part of the configuration as the platform reports it. Its values may be ones that this package does not know. */
const reported = z.looseObject({});

/** The same in the answer to a change, with the member that it always has: another answer says nothing of the change. */
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
  /** Its answer has no body. */
  delete: (projectId: string, branchId: string, body: z.infer<typeof neonAuthDelete>) =>
    request("DELETE", authPath(projectId, branchId), emptyResponse, { body }),
  /** All of the configuration but the name and the webhook. The password of the e-mail provider is not in it. */
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
  /** Sets the whole webhook. */
  setWebhook: (projectId: string, branchId: string, body: WebhookConfig) =>
    request("PUT", authPath(projectId, branchId, "/webhooks"), configured, { body }),
  setAllowLocalhost: (projectId: string, branchId: string, allowLocalhost: boolean) =>
    request("PATCH", authPath(projectId, branchId, "/allow_localhost"), localhost, {
      body: { allow_localhost: allowLocalhost },
    }),
};
