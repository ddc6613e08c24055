import { z } from "zod";

import { lazy } from "../core/lazy";
import { apiKey, apiKeyCreated, apiKeys, organizationApiKeys } from "../schemas/api-key";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";
import { resultOf } from "./result";

const result = lazy(() =>
  resultOf(
    apiKey
      .pick({ id: true, name: true, created_at: true, project_id: true })
      .extend(apiKeyCreated.pick({ created_by: true }).shape),
    "ApiKeyResult",
    "An API key without its secret, which Neon returns only when the key is created.",
  ),
);

/** The API keys of the current user or of an organization. */
export const getApiKeys = lookup("getApiKeys", () => ({
  args: {
    orgId: idArgument
      .optional()
      .describe(
        "Organization whose keys to list, including keys limited to a single project. Default: the personal keys of the user who owns the API key in use. The provider's `orgId` is not used.",
      ),
  },
  result: z.array(result()),
  list: "apiKeys",
  explanations: {
    403: "Only a personal key can list personal keys. With the key of an organization, set `orgId`.",
  },
  read: async ({ client }, { orgId }) => {
    const found = await client.send(orgId === undefined ? apiKeys.list() : organizationApiKeys.list(orgId));
    return found.map((key) => ({ ...key, created_by: key.created_by?.id }));
  },
}));
