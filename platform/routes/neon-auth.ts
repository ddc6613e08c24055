import { z } from "zod";

import { branchMember } from "../http/authorization";
import { emptyBody, noContent } from "../http/response";
import { allow, type ApiPaths } from "../http/route";
import {
  addOauthProvider,
  addTrustedDomain,
  configureNeonAuth,
  createAuthUser,
  deleteAuthUser,
  deleteOauthProvider,
  deleteTrustedDomains,
  disableNeonAuth,
  emailProviderResponse,
  enableNeonAuth,
  getNeonAuth,
  neonAuthResponse,
  oauthProviderResponse,
  pluginConfigsResponse,
  requireOwnEmailServer,
  setAuthUserRoles,
  setEmailProvider,
  setNeonAuth,
  setWebhook,
  updateOauthProvider,
} from "../model/branches/neon-auth";
import * as published from "../published/requests";
import { email } from "../published/values";

const notSent = { success: false, error_message: "the local platform sends no e-mail" } as const;
const auth = "/projects/:project_id/branches/:branch_id/auth";

export const neonAuthPaths: ApiPaths = {
  [auth]: {
    GET: allow(branchMember, ({ controlPlane, project, branch }) =>
      neonAuthResponse(getNeonAuth(controlPlane, branch), project),
    ),
    POST: allow(
      { ...branchMember, status: 201, ...published.createNeonAuth },
      ({ controlPlane, project, branch, body }) => enableNeonAuth(controlPlane, project, branch, body),
    ),
    DELETE: allow({ ...branchMember, ...published.disableNeonAuth }, ({ controlPlane, project, branch, body }) => {
      disableNeonAuth(controlPlane, project, branch, body);
      return emptyBody;
    }),
  },
  [`${auth}/config`]: {
    PATCH: allow({ ...branchMember, ...published.updateNeonAuthConfig }, ({ controlPlane, branch, body }) => {
      setNeonAuth(controlPlane, branch, body);
      return { name: body.name };
    }),
  },
  [`${auth}/allow_localhost`]: {
    GET: allow(branchMember, ({ controlPlane, branch }) => ({
      allow_localhost: getNeonAuth(controlPlane, branch).allow_localhost,
    })),
    PATCH: allow({ ...branchMember, ...published.updateNeonAuthAllowLocalhost }, ({ controlPlane, branch, body }) => {
      setNeonAuth(controlPlane, branch, body);
      return { allow_localhost: body.allow_localhost };
    }),
  },
  [`${auth}/email_and_password`]: {
    GET: allow(branchMember, ({ controlPlane, branch }) => getNeonAuth(controlPlane, branch).email_and_password),
    PATCH: allow(
      { ...branchMember, ...published.updateNeonAuthEmailAndPasswordConfig },
      ({ controlPlane, branch, body }) => configureNeonAuth(controlPlane, branch, "email_and_password", body),
    ),
  },
  [`${auth}/email_provider`]: {
    GET: allow(branchMember, ({ controlPlane, branch }) => emailProviderResponse(getNeonAuth(controlPlane, branch))),
    PATCH: allow({ ...branchMember, ...published.updateNeonAuthEmailProvider }, ({ controlPlane, branch, body }) =>
      emailProviderResponse(setEmailProvider(controlPlane, branch, body)),
    ),
  },
  [`${auth}/send_test_email`]: {
    POST: allow({ ...branchMember, ...published.sendNeonAuthTestEmail }, ({ controlPlane, branch }) => {
      getNeonAuth(controlPlane, branch);
      return notSent;
    }),
  },
  // Only the newer of the two published documents has this.
  [`${auth}/email_provider/test`]: {
    POST: allow(
      { ...branchMember, body: z.object({ recipient_email: email.max(256) }) },
      ({ controlPlane, branch }) => {
        requireOwnEmailServer(getNeonAuth(controlPlane, branch));
        return notSent;
      },
    ),
  },
  [`${auth}/plugins`]: {
    GET: allow(branchMember, ({ controlPlane, branch }) => pluginConfigsResponse(getNeonAuth(controlPlane, branch))),
  },
  [`${auth}/plugins/organization`]: {
    PATCH: allow({ ...branchMember, ...published.updateNeonAuthOrganizationPlugin }, ({ controlPlane, branch, body }) =>
      configureNeonAuth(controlPlane, branch, "organization", body),
    ),
  },
  [`${auth}/plugins/magic-link`]: {
    PATCH: allow({ ...branchMember, ...published.updateNeonAuthMagicLinkPlugin }, ({ controlPlane, branch, body }) =>
      configureNeonAuth(controlPlane, branch, "magic_link", body),
    ),
  },
  [`${auth}/plugins/phone-number`]: {
    GET: allow(branchMember, ({ controlPlane, branch }) => getNeonAuth(controlPlane, branch).phone_number),
    PATCH: allow({ ...branchMember, ...published.updateNeonAuthPhoneNumberPlugin }, ({ controlPlane, branch, body }) =>
      configureNeonAuth(controlPlane, branch, "phone_number", body),
    ),
  },
  [`${auth}/webhooks`]: {
    GET: allow(branchMember, ({ controlPlane, branch }) => getNeonAuth(controlPlane, branch).webhook),
    PUT: allow(
      { ...branchMember, ...published.updateNeonAuthWebhookConfig },
      ({ controlPlane, branch, body }) => setWebhook(controlPlane, branch, body).webhook,
    ),
  },
  [`${auth}/oauth_providers`]: {
    GET: allow(branchMember, ({ controlPlane, branch }) => ({
      providers: getNeonAuth(controlPlane, branch).oauth_providers.map(oauthProviderResponse),
    })),
    POST: allow({ ...branchMember, ...published.addBranchNeonAuthOauthProvider }, ({ controlPlane, branch, body }) =>
      oauthProviderResponse(addOauthProvider(controlPlane, branch, body)),
    ),
  },
  [`${auth}/oauth_providers/:oauth_provider_id`]: {
    PATCH: allow(
      { ...branchMember, ...published.updateBranchNeonAuthOauthProvider },
      ({ controlPlane, branch, body, parameter }) =>
        oauthProviderResponse(updateOauthProvider(controlPlane, branch, parameter("oauth_provider_id"), body)),
    ),
    DELETE: allow(branchMember, ({ controlPlane, branch, parameter }) => {
      deleteOauthProvider(controlPlane, branch, parameter("oauth_provider_id"));
      return emptyBody;
    }),
  },
  [`${auth}/domains`]: {
    GET: allow(branchMember, ({ controlPlane, branch }) => ({ domains: getNeonAuth(controlPlane, branch).domains })),
    POST: allow(
      { ...branchMember, status: 201, ...published.addBranchNeonAuthTrustedDomain },
      ({ controlPlane, branch, body }) => {
        addTrustedDomain(controlPlane, branch, body);
        return emptyBody;
      },
    ),
    DELETE: allow(
      { ...branchMember, ...published.deleteBranchNeonAuthTrustedDomain },
      ({ controlPlane, branch, body }) => {
        deleteTrustedDomains(controlPlane, branch, body.domains);
        return emptyBody;
      },
    ),
  },
  [`${auth}/users`]: {
    POST: allow(
      { ...branchMember, status: 201, ...published.createBranchNeonAuthNewUser },
      ({ controlPlane, branch, body }) => ({
        id: createAuthUser(controlPlane, branch, body).id,
      }),
    ),
  },
  [`${auth}/users/:auth_user_id`]: {
    DELETE: allow(branchMember, ({ controlPlane, branch, parameter }) => {
      deleteAuthUser(controlPlane, branch, parameter("auth_user_id"));
      return noContent;
    }),
  },
  [`${auth}/users/:auth_user_id/role`]: {
    PUT: allow(
      { ...branchMember, ...published.updateNeonAuthUserRole },
      ({ controlPlane, branch, body, parameter }) => ({
        id: setAuthUserRoles(controlPlane, branch, parameter("auth_user_id"), body.roles).id,
      }),
    ),
  },
};
