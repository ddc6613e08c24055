import { conflict, HttpError, notFound } from "../../http-error";
import type { Answer, vendor } from "../../published/answers";
import * as published from "../../published/requests";
import { branchMember } from "../routing/authorization";
import { allow, type ApiPaths, emptyBody } from "../routing/route";
import {
  authPath,
  changeNeonAuth,
  getNeonAuth,
  type NeonAuthRow,
  type OauthProviderRow,
  sharedProvider,
} from "./neon-auth";

const providers = `${authPath}/oauth_providers`;

export const oauthProviderPaths: ApiPaths = {
  [providers]: {
    GET: allow(branchMember, ({ controlPlane, branch }) => ({
      providers: getNeonAuth(controlPlane, branch).oauth_providers.map(oauthProviderResponse),
    })),
    POST: allow({ ...branchMember, ...published.addBranchNeonAuthOauthProvider }, ({ controlPlane, branch, body }) => {
      const row = getNeonAuth(controlPlane, branch);
      if (row.oauth_providers.some(({ id }) => id === body.id)) {
        throw conflict(`OAuth provider ${body.id} already exists`);
      }
      const provider = typed(body);
      changeNeonAuth(controlPlane, row, { oauth_providers: [...row.oauth_providers, provider] });
      return oauthProviderResponse(provider);
    }),
  },
  [`${providers}/:oauth_provider_id`]: {
    PATCH: allow(
      { ...branchMember, ...published.updateBranchNeonAuthOauthProvider },
      ({ controlPlane, branch, body, parameter }) => {
        const row = getNeonAuth(controlPlane, branch);
        const before = getOauthProvider(row, parameter("oauth_provider_id"));
        const provider = typed({ ...before, ...body });
        const changed = row.oauth_providers.map((one) => (one === before ? provider : one));
        changeNeonAuth(controlPlane, row, { oauth_providers: changed });
        return oauthProviderResponse(provider);
      },
    ),
    DELETE: allow(branchMember, ({ controlPlane, branch, parameter }) => {
      const row = getNeonAuth(controlPlane, branch);
      const removed = getOauthProvider(row, parameter("oauth_provider_id"));
      changeNeonAuth(controlPlane, row, { oauth_providers: row.oauth_providers.filter((one) => one !== removed) });
      return emptyBody;
    }),
  },
};

function getOauthProvider({ oauth_providers }: NeonAuthRow, id: string): OauthProviderRow {
  const found = oauth_providers.find((one) => one.id === id);
  if (!found) throw notFound("OAuth provider");
  return found;
}

/** @throws HttpError 400 if the provider has no client id, and the platform has no shared application for it */
function typed(provider: Omit<OauthProviderRow, "type">): OauthProviderRow {
  if (provider.client_id !== undefined) return { ...provider, type: "standard" };
  if (provider.id === sharedProvider) return { ...provider, type: "shared" };
  throw new HttpError(400, `OAuth provider ${provider.id} needs a client_id and a client_secret`, {
    code: "INVALID_SHARED_OAUTH_PROVIDER",
  });
}

export function oauthProviderResponse({ id, type, client_id, client_secret }: OauthProviderRow) {
  return { id, type, client_id, client_secret } satisfies Answer<vendor.NeonAuthOauthProvider>;
}
