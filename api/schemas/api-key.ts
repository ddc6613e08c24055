import { z } from "zod";

import { path, type Request } from "../request";
import { timestamp } from "./wire";

/** An access key in the list of keys; its secret is never in there. */
export const apiKey = z.looseObject({
  id: z.number(),
  name: z.string(),
  created_at: timestamp,
  created_by: z.looseObject({ id: z.string() }).optional(),
  last_used_at: timestamp.nullable().optional(),
  last_used_from_addr: z.string().optional(),
});

export const apiKeyCreate = z.object({ key_name: z.string().min(1).max(64) });

const apiKeyList = z.array(apiKey);
/** The only answer that ever holds the secret `key`. */
const apiKeyCreated = z.looseObject({ id: z.number(), key: z.string(), name: z.string(), created_at: timestamp });
const apiKeyRevoked = z.looseObject({ id: z.number(), revoked: z.boolean() });

/** Requests for personal access keys. */
export const apiKeys = {
  list: (): Request<z.infer<typeof apiKeyList>> => ({ method: "GET", path: "/api_keys", answer: apiKeyList }),
  create: (name: string): Request<z.infer<typeof apiKeyCreated>> => ({
    method: "POST",
    path: "/api_keys",
    body: { key_name: name },
    answer: apiKeyCreated,
  }),
  revoke: (keyId: number): Request<z.infer<typeof apiKeyRevoked>> => ({
    method: "DELETE",
    path: path`/api_keys/${String(keyId)}`,
    answer: apiKeyRevoked,
  }),
};
