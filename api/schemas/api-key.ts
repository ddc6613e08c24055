import { z } from "zod";

import { path, request } from "../core/request";
import { timestamp } from "./wire";

/** An API key in a list. It never contains the secret. */
export const apiKey = z.looseObject({
  id: z.number(),
  name: z.string(),
  created_at: timestamp,
  created_by: z.looseObject({ id: z.string() }).optional(),
  last_used_at: timestamp.nullable().optional(),
  last_used_from_addr: z.string().optional(),
  /** The project that the key is limited to. Missing if the key has access to all projects. */
  project_id: z.string().optional(),
});
export type ApiKey = z.infer<typeof apiKey>;

export const apiKeyCreate = z.object({ key_name: z.string().min(1).max(64) });

const apiKeyList = z.array(apiKey);
/** The only response that contains the secret `key`. */
const apiKeyCreated = z.looseObject({
  id: z.number(),
  key: z.string(),
  name: z.string(),
  created_at: timestamp,
  created_by: z.string().optional(),
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
