import { z } from "zod";

import { camelObject } from "../camel-shape";
import { apiKey, apiKeys, organizationApiKeys } from "../schemas/api-key";
import { objectId } from "../schemas/wire";
import { lookup } from "./lookup";

const result = camelObject(
  apiKey
    .omit({ last_used_at: true, last_used_from_addr: true })
    .extend({ id: z.int(), created_by: z.string().optional() }),
);

/** The API keys of the current user or of an organization. */
export const getApiKeys = lookup("getApiKeys", {
  args: { orgId: objectId.optional() },
  result: z.array(result),
  list: "apiKeys",
  explanations: {
    403: "Only a personal key can list personal keys. With the key of an organization, set `orgId`.",
  },
  read: async ({ client }, { orgId }) => {
    const found = await client.send(orgId === undefined ? apiKeys.list() : organizationApiKeys.list(orgId));
    return found.map((key) => ({ ...key, created_by: key.created_by?.id }));
  },
});
