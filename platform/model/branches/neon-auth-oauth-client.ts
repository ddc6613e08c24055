import { z } from "zod";

import type { OauthClient, OauthClientUpdate } from "../../../api/schemas/neon-auth-oauth-client";
import { badRequest, notFound, unprocessable } from "../../http-error";
import type { Answer } from "../../published/answers";
import { uri } from "../../published/values";
import { newOauthKey } from "../../storage/ids";
import { pick } from "../../storage/timestamps";
import { branchMember } from "../routing/authorization";
import { allow, type ApiPaths, noContent } from "../routing/route";
import { authPath, changeNeonAuth, getNeonAuth, type NeonAuthRow, type OauthClientRow } from "./neon-auth";

const clients = `${authPath}/oauth-provider/clients`;

const members = {
  name: z.string().min(1),
  redirect_uris: z.array(uri).min(1),
  resources: z.array(z.string()),
  skip_consent: z.boolean(),
};
const created = z.object({
  ...members,
  type: z.enum(["confidential", "public"]),
  skip_consent: members.skip_consent.default(false),
});
const changed = z.object({ ...members, disabled: z.boolean() }).partial();

/** Only the vendor's API reference has these. */
export const oauthClientPaths: ApiPaths = {
  [clients]: {
    GET: allow(branchMember, ({ controlPlane, branch }) => ({
      clients: getNeonAuth(controlPlane, branch).oauth_clients.map(clientResponse),
    })),
    POST: allow(
      { ...branchMember, status: 201, operationId: "createNeonAuthOAuthClient", body: created },
      ({ controlPlane, branch, body }) => {
        const row = getNeonAuth(controlPlane, branch);
        if (!row.oauth_server.enabled) throw unprocessable("the OAuth provider plugin is not enabled");
        checkClient(row, body);
        const client: OauthClientRow = {
          ...body,
          client_id: newOauthKey.id(),
          disabled: false,
          created_at: controlPlane.timestamps.next(),
          ...(body.type === "confidential" && { client_secret: newOauthKey.secret() }),
        };
        changeNeonAuth(controlPlane, row, { oauth_clients: [...row.oauth_clients, client] });
        return { ...clientResponse(client), client_secret: client.client_secret };
      },
    ),
  },
  [`${clients}/:client_id`]: {
    PATCH: allow(
      { ...branchMember, operationId: "updateNeonAuthOAuthClient", body: changed },
      ({ controlPlane, branch, body, parameter }) => {
        const row = getNeonAuth(controlPlane, branch);
        const before = getClient(row, parameter("client_id"));
        checkClient(row, body);
        const client = { ...before, ...body } as OauthClientRow;
        changeNeonAuth(controlPlane, row, {
          oauth_clients: row.oauth_clients.map((one) => (one === before ? client : one)),
        });
        return clientResponse(client);
      },
    ),
    DELETE: allow(branchMember, ({ controlPlane, branch, parameter }) => {
      const row = getNeonAuth(controlPlane, branch);
      const removed = getClient(row, parameter("client_id"));
      changeNeonAuth(controlPlane, row, { oauth_clients: row.oauth_clients.filter((one) => one !== removed) });
      return noContent;
    }),
  },
  [`${clients}/:client_id/rotate_secret`]: {
    POST: allow(branchMember, ({ controlPlane, branch, parameter }) => {
      const row = getNeonAuth(controlPlane, branch);
      const before = getClient(row, parameter("client_id"));
      if (before.type === "public") throw unprocessable("a public client has no secret");
      const client = { ...before, client_secret: newOauthKey.secret() };
      changeNeonAuth(controlPlane, row, {
        oauth_clients: row.oauth_clients.map((one) => (one === before ? client : one)),
      });
      return { client_id: client.client_id, client_secret: client.client_secret };
    }),
  },
};

function getClient({ oauth_clients }: NeonAuthRow, id: string): OauthClientRow {
  const found = oauth_clients.find((one) => one.client_id === id);
  if (!found) throw notFound("OAuth client");
  return found;
}

const loopback: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Checks what a client is to have.
 *
 * @throws HttpError 400 for a redirect URI that no client can have, 422 for a resource that the plugin does not have
 */
function checkClient(
  { allow_localhost, oauth_server: { mcp, resources = [] } }: NeonAuthRow,
  client: Pick<OauthClientUpdate, "redirect_uris" | "resources">,
): void {
  for (const text of client.redirect_uris ?? []) {
    const { protocol, hostname } = new URL(text);
    const isLocal = protocol === "http:" && allow_localhost && loopback.includes(hostname);
    if (protocol !== "https:" && !isLocal) {
      throw badRequest(`redirect URI ${text} must be https, or http on a loopback host when localhost is allowed`);
    }
  }
  const known = [...resources, mcp?.resource];
  const unknown = client.resources?.find((resource) => !known.includes(resource));
  if (unknown !== undefined) throw unprocessable(`resource ${unknown} is not configured on the OAuth provider plugin`);
}

/** A client as the API returns it, without its secret. */
function clientResponse(row: OauthClientRow) {
  return pick(row, [
    "client_id",
    "name",
    "type",
    "redirect_uris",
    "resources",
    "skip_consent",
    "disabled",
    "created_at",
  ]) satisfies Answer<OauthClient>;
}
