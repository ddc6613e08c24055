import { z } from "zod";

import { path, request } from "../core/request";
import { createdAt, timestamp, wholeNumber } from "./wire";

/** An API key in a list. It never contains the secret. */
export const apiKey = z.looseObject({
  id: wholeNumber.describe("Numeric id of the key."),
  name: z.string().describe("Name of the key. Names are not unique."),
  created_at: createdAt,
  created_by: z.looseObject({ id: z.string() }).optional(),
  last_used_at: timestamp.optional(),
  last_used_from_addr: z.string().optional(),
  project_id: z
    .string()
    .optional()
    .describe("Id of the only project that the key can access. Absent if it can access all projects."),
});
export type ApiKey = z.infer<typeof apiKey>;

export const apiKeyCreate = z.object({ key_name: z.string().min(1).max(64) });

const apiKeyList = z.array(apiKey);
/** The response to a creation: the only one that contains the secret `key`. */
export const apiKeyCreated = z.looseObject({
  ...apiKey.pick({ id: true, name: true, created_at: true }).shape,
  key: z.string().describe("The key itself, to send as `Authorization: Bearer …`."),
  created_by: z.string().optional().describe("Id of the user who created the key."),
});
const apiKeyRevoked = z.looseObject({ id: z.number(), revoked: z.boolean() });

/** Requests for personal API keys. */
export const apiKeys = {
  list: () => request("GET", "/api_keys", apiKeyList),
  create: (name: string) => request("POST", "/api_keys", apiKeyCreated, { body: { key_name: name } }),
  revoke: (keyId: number) => request("DELETE", path`/api_keys/${String(keyId)}`, apiKeyRevoked),
};

/** Requests for the API keys of an organization, including those that are limited to one project. */
export const organizationApiKeys = {
  list: (orgId: string) => request("GET", path`/organizations/${orgId}/api_keys`, apiKeyList),
  create: (orgId: string, name: string, projectId?: string) =>
    request("POST", path`/organizations/${orgId}/api_keys`, apiKeyCreated, {
      body: { key_name: name, ...(projectId === undefined ? {} : { project_id: projectId }) },
    }),
  revoke: (orgId: string, keyId: number) =>
    request("DELETE", path`/organizations/${orgId}/api_keys/${String(keyId)}`, apiKeyRevoked),
};
