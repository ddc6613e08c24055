import { z } from "zod";

import { path, request } from "../core/request";
import { httpsUrl } from "./https-url";
import { emptyResponse } from "./wire";

/** Settings of a Data API. A server fills in what is omitted. */
export const dataApiSettings = z.object({
  db_aggregates_enabled: z
    .boolean()
    .optional()
    .meta({ description: "Whether requests can use aggregate functions.", default: true }),
  db_anon_role: z
    .string()
    .min(1)
    .optional()
    .meta({ description: "Postgres role of requests without a token.", default: "anonymous" }),
  db_extra_search_path: z
    .string()
    .optional()
    .meta({ description: "Schemas that are added to the search path.", omitted: "none" }),
  db_max_rows: z.int().optional().meta({
    description: "Maximum number of rows that a response contains.",
    omitted: "no limit",
    absent: "if there is no limit",
  }),
  db_schemas: z
    .array(z.string().min(1))
    .optional()
    .meta({ description: "Schemas that the API exposes.", default: ["public"] }),
  jwt_role_claim_key: z
    .string()
    .optional()
    .meta({ description: "Path of the claim in a token that names the Postgres role.", default: ".role" }),
  jwt_cache_max_lifetime: z
    .int()
    .optional()
    .meta({ description: "Maximum time for which a verified token is cached, in seconds.", omitted: "chosen by Neon" }),
  openapi_mode: z
    .string()
    .optional()
    .meta({ description: "Mode of the OpenAPI description: `ignore-privileges` or `disabled`.", default: "disabled" }),
  server_cors_allowed_origins: z
    .string()
    .optional()
    .meta({ description: "Origins that browsers can send requests from (CORS).", omitted: "chosen by Neon" }),
  server_timing_enabled: z
    .boolean()
    .optional()
    .meta({ description: "Whether responses have `Server-Timing` headers.", default: false }),
});
export type DataApiSettings = z.infer<typeof dataApiSettings>;

/** A Data API: the REST interface of one database of a branch. */
export const dataApi = z.looseObject({
  url: z.string().describe("URL of the API."),
  status: z.string().describe("Status of the deployment, as Neon words it."),
  settings: z
    .looseObject(dataApiSettings.shape)
    .meta({ title: "DataApiSettingsResult", description: "Settings of a Data API." })
    .optional()
    .describe("Settings, if Neon returns them."),
  available_schemas: z.array(z.string()).optional().describe("Schemas of the database, if Neon returns them."),
});
export type DataApi = z.infer<typeof dataApi>;

/** The body that creates a Data API. Only `settings` can be changed later. */
export const dataApiCreate = z.object({
  auth_provider: z.enum(["neon_auth", "external"]).optional().meta({
    description:
      "The issuer of the clients' tokens: `neon_auth`, or `external` for the provider whose keys `jwksUrl` serves.",
    omitted: "none is configured",
  }),
  jwks_url: httpsUrl
    .optional()
    .describe("URL of the key set that verifies the tokens. Required with an external provider."),
  provider_name: z.string().min(1).optional().describe("Name of the external provider, such as `Clerk` or `Auth0`."),
  jwt_audience: z.string().min(1).optional().meta({
    description: "Audience of the tokens. Tokens with another audience are refused, tokens without one are not.",
    omitted: "any audience",
  }),
  add_default_grants: z.boolean().optional().meta({
    description:
      "Whether Neon grants all permissions on the tables in the schema `public` to the role `authenticated`. Destroying the resource revokes nothing.",
    default: false,
  }),
  skip_auth_schema: z.boolean().optional().meta({
    description: "Whether Neon does not create the schema `auth` and the functions for row-level security.",
    default: false,
  }),
  settings: dataApiSettings.optional(),
});
export type DataApiCreate = z.infer<typeof dataApiCreate>;

/** The body that changes the settings. It must contain all settings, because omitted ones return to their defaults. */
export const dataApiUpdate = dataApiCreate.pick({ settings: true });
type DataApiUpdate = z.infer<typeof dataApiUpdate>;

const dataApiCreated = z.looseObject({ url: z.string() });

const pathOf = (projectId: string, branchId: string, databaseName: string): string =>
  path`/projects/${projectId}/branches/${branchId}/data-api/${databaseName}`;

/** Requests for the Data API of a database. No response names operations. */
export const dataApis = {
  get: (projectId: string, branchId: string, databaseName: string) =>
    request("GET", pathOf(projectId, branchId, databaseName), dataApi),
  create: (projectId: string, branchId: string, databaseName: string, body: DataApiCreate) =>
    request("POST", pathOf(projectId, branchId, databaseName), dataApiCreated, { body }),
  update: (projectId: string, branchId: string, databaseName: string, body: DataApiUpdate) =>
    request("PATCH", pathOf(projectId, branchId, databaseName), emptyResponse, { body }),
  delete: (projectId: string, branchId: string, databaseName: string) =>
    request("DELETE", pathOf(projectId, branchId, databaseName), emptyResponse),
};
