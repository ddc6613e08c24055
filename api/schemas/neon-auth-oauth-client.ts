import { z } from "zod";

import { path, request } from "../core/request";
import { authPath, isUri } from "./neon-auth";
import { createdAt, emptyResponse } from "./wire";

/** An OAuth client of a branch's Neon Auth, without its secret. */
export const oauthClient = z.looseObject({
  client_id: z.string().describe("Id of the client, which Neon assigns."),
  name: z.string().describe("Name of the client, which the consent page can show. Names are not unique."),
  type: z
    .string()
    .describe(
      "`confidential` for an application on a server, which has a secret; `public` for one in a browser or on a device, which cannot keep a secret.",
    ),
  redirect_uris: z.array(z.string()).describe("URLs that users can be sent back to, in any order."),
  resources: z
    .array(z.string())
    .describe("Identifiers of the APIs and the MCP server that the client can get tokens for, in any order."),
  skip_consent: z.boolean().describe("Whether users are not asked for consent."),
  disabled: z.boolean().describe("Whether the client is disabled."),
  created_at: createdAt.optional(),
});
export type OauthClient = z.infer<typeof oauthClient>;

/** Whether a client can have a redirect URI: it is an https URL, or an http URL of the user's own machine. */
function isRedirectUri(text: string): boolean {
  if (!isUri(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && loopback.includes(hostname));
}

const loopback = ["localhost", "127.0.0.1", "[::1]"];

const redirectUri = z
  .string()
  .refine(
    isRedirectUri,
    'must be an https URL, or an http URL of localhost, such as "https://app.example.com/callback"',
  );

/** The body that changes a client. Omitted members stay as they are, and lists are replaced. */
export const oauthClientUpdate = z.object({
  name: z.string().min(1).optional(),
  redirect_uris: z.array(redirectUri).min(1).optional(),
  resources: z.array(z.string().min(1)).optional(),
  skip_consent: z.boolean().optional(),
  disabled: z.boolean().optional(),
});
export type OauthClientUpdate = z.infer<typeof oauthClientUpdate>;

/** The body that registers a client. */
export const oauthClientCreate = z.object({
  name: z.string().min(1),
  redirect_uris: z.array(redirectUri).min(1),
  type: z.enum(["confidential", "public"]),
  resources: z.array(z.string().min(1)),
  skip_consent: z.boolean().optional(),
});
export type OauthClientCreate = z.infer<typeof oauthClientCreate>;

/** The response to a creation. Only it and a rotation contain the secret. A public client has none. */
export const oauthClientCreated = z.looseObject({
  ...oauthClient.shape,
  client_secret: z.string().optional().describe("Secret of the client."),
});

const rotated = z.looseObject({ client_id: z.string(), client_secret: z.string() });
const oauthClientList = z.looseObject({ clients: z.array(oauthClient) });

/** The path of the requests for a branch's OAuth clients. */
function clientsPath(projectId: string, branchId: string, rest = ""): string {
  return authPath(projectId, branchId, `/oauth-provider/clients${rest}`);
}

/**
 * Requests for the OAuth clients of a branch's Neon Auth. There is no request for a single one: search the list. Only
 * the vendor's API reference documents them.
 */
export const oauthClients = {
  list: (projectId: string, branchId: string) => request("GET", clientsPath(projectId, branchId), oauthClientList),
  create: (projectId: string, branchId: string, body: OauthClientCreate) =>
    request("POST", clientsPath(projectId, branchId), oauthClientCreated, { body }),
  update: (projectId: string, branchId: string, id: string, body: OauthClientUpdate) =>
    request("PATCH", clientsPath(projectId, branchId, path`/${id}`), oauthClient, { body }),
  /** Replaces the secret of a confidential client. The old one stops working at once. */
  rotateSecret: (projectId: string, branchId: string, id: string) =>
    request("POST", clientsPath(projectId, branchId, path`/${id}/rotate_secret`), rotated),
  /** The response has no body. */
  delete: (projectId: string, branchId: string, id: string) =>
    request("DELETE", clientsPath(projectId, branchId, path`/${id}`), emptyResponse),
};
