import { z } from "zod";

import { lazy } from "../core/lazy";
import { apiKeys, organizationApiKeys } from "../schemas/api-key";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";

const result = lazy(() =>
  z
    .strictObject({
      id: z.int().describe("Numeric id of the key."),
      name: z.string().describe("Name of the key. Names are not unique."),
      createdAt: z.string().describe("Time of creation (ISO 8601, UTC)."),
      createdBy: z.string().optional().describe("Id of the user who created the key."),
      projectId: z
        .string()
        .optional()
        .describe("The only project that the key can access. Absent if the key is not limited to a project."),
    })
    .meta({
      title: "ApiKeyResult",
      description: "An API key without its secret, which Neon returns only when the key is created.",
    }),
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
