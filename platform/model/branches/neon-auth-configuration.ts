import { z } from "zod";

import { unprocessable } from "../../http-error";
import type { Answer, vendor } from "../../published/answers";
import * as published from "../../published/requests";
import { email, uri } from "../../published/values";
import type { ControlPlane } from "../control-plane";
import { branchMember } from "../routing/authorization";
import { allow, type ApiPaths } from "../routing/route";
import type { BranchRow } from "./branch-row";
import { authPath, changeNeonAuth, getNeonAuth, type NeonAuthRow } from "./neon-auth";
import { oauthProviderResponse } from "./neon-auth-oauth-provider";

/** The MCP server and the list of resources are replaced as a whole. */
const oauthServer = z.object({
  enabled: z.boolean().exactOptional(),
  login_page: uri.exactOptional(),
  consent_page: uri.exactOptional(),
  mcp: z
    .object({
      resource: uri,
      dynamic_registration: z.boolean().default(false),
      client_id_metadata_documents: z.boolean().default(false),
    })
    .exactOptional(),
  resources: z.array(uri).exactOptional(),
});

const notSent = { success: false, error_message: "the local platform sends no e-mail" } as const;

/** The sign-in by e-mail, the e-mail server, the plugins and the webhook of an integration. */
export const neonAuthConfigurationPaths: ApiPaths = {
  [`${authPath}/email_and_password`]: {
    GET: allow(branchMember, ({ controlPlane, branch }) => getNeonAuth(controlPlane, branch).email_and_password),
    PATCH: allow(
      { ...branchMember, ...published.updateNeonAuthEmailAndPasswordConfig },
      ({ controlPlane, branch, body }) => configure(controlPlane, branch, "email_and_password", body),
    ),
  },
  [`${authPath}/email_provider`]: {
    GET: allow(branchMember, ({ controlPlane, branch }) => emailProviderResponse(getNeonAuth(controlPlane, branch))),
    // Members that the request omits stay, unless the type changes.
    PATCH: allow({ ...branchMember, ...published.updateNeonAuthEmailProvider }, ({ controlPlane, branch, body }) => {
      const row = getNeonAuth(controlPlane, branch);
      const kept = row.email_provider.type === body.type ? row.email_provider : {};
      return emailProviderResponse(changeNeonAuth(controlPlane, row, { email_provider: { ...kept, ...body } }));
    }),
  },
  [`${authPath}/send_test_email`]: {
    POST: allow({ ...branchMember, ...published.sendNeonAuthTestEmail }, ({ controlPlane, branch }) => {
      getNeonAuth(controlPlane, branch);
      return notSent;
    }),
  },
  // Only the newer of the two published documents has this route.
  [`${authPath}/email_provider/test`]: {
    POST: allow(
      { ...branchMember, body: z.object({ recipient_email: email.max(256) }) },
      ({ controlPlane, branch }) => {
        const { auth_provider, email_provider } = getNeonAuth(controlPlane, branch);
        if (auth_provider === "better_auth" && email_provider.type === "standard") return notSent;
        throw unprocessable("only the e-mail server of a Better Auth integration can be tested, and no shared one");
      },
    ),
  },
  [`${authPath}/plugins`]: {
    GET: allow(branchMember, ({ controlPlane, branch }) => {
      const row = getNeonAuth(controlPlane, branch);
      const { organization, magic_link, phone_number, email_and_password, oauth_providers, allow_localhost } = row;
      return {
        organization,
        magic_link,
        phone_number,
        email_provider: emailProviderResponse(row),
        email_and_password,
        oauth_providers: oauth_providers.map(oauthProviderResponse),
        allow_localhost,
      };
    }),
  },
  [`${authPath}/plugins/organization`]: {
    PATCH: allow({ ...branchMember, ...published.updateNeonAuthOrganizationPlugin }, ({ controlPlane, branch, body }) =>
      configure(controlPlane, branch, "organization", body),
    ),
  },
  [`${authPath}/plugins/magic-link`]: {
    PATCH: allow({ ...branchMember, ...published.updateNeonAuthMagicLinkPlugin }, ({ controlPlane, branch, body }) =>
      configure(controlPlane, branch, "magic_link", body),
    ),
  },
  [`${authPath}/plugins/phone-number`]: {
    GET: allow(branchMember, ({ controlPlane, branch }) => getNeonAuth(controlPlane, branch).phone_number),
    PATCH: allow({ ...branchMember, ...published.updateNeonAuthPhoneNumberPlugin }, ({ controlPlane, branch, body }) =>
      configure(controlPlane, branch, "phone_number", body),
    ),
  },
  // Only the vendor's API reference has this.
  [`${authPath}/plugins/oauth-provider`]: {
    GET: allow(branchMember, ({ controlPlane, branch }) => getNeonAuth(controlPlane, branch).oauth_server),
    PATCH: allow(
      { ...branchMember, operationId: "updateNeonAuthOAuthProviderPlugin", body: oauthServer },
      ({ controlPlane, branch, body }) => {
        const { enabled } = getNeonAuth(controlPlane, branch).oauth_server;
        if (body.enabled === true && !enabled && branch.parent_id !== undefined) {
          throw unprocessable("the OAuth provider plugin can only be enabled on the project's root branch");
        }
        return configure(controlPlane, branch, "oauth_server", body);
      },
    ),
  },
  [`${authPath}/webhooks`]: {
    GET: allow(branchMember, ({ controlPlane, branch }) => getNeonAuth(controlPlane, branch).webhook),
    PUT: allow({ ...branchMember, ...published.updateNeonAuthWebhookConfig }, ({ controlPlane, branch, body }) => {
      const webhook = { timeout_seconds: 5, ...body };
      return changeNeonAuth(controlPlane, getNeonAuth(controlPlane, branch), { webhook }).webhook;
    }),
  },
};

/** The parts of the configuration that a request changes member by member. */
type ConfigPart = "email_and_password" | "organization" | "magic_link" | "phone_number" | "oauth_server";

/** Changes a part of the configuration, and returns it. */
function configure<Part extends ConfigPart>(
  controlPlane: ControlPlane,
  branch: BranchRow,
  part: Part,
  input: { readonly [Name in keyof NeonAuthRow[Part]]?: NeonAuthRow[Part][Name] | undefined },
): NeonAuthRow[Part] {
  const row = getNeonAuth(controlPlane, branch);
  const configured = { ...row[part], ...input };
  controlPlane.tables.neonAuth.put({ ...row, [part]: configured });
  return configured;
}

/** The e-mail provider as the API returns it: with an empty password. */
function emailProviderResponse({ email_provider: provider }: NeonAuthRow) {
  const shown = provider.type === "standard" ? { ...provider, password: "" } : provider;
  return shown satisfies Answer<vendor.NeonAuthEmailServerConfig>;
}
