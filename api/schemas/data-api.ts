import { z } from "zod";

import { path, request } from "../core/request";
import { httpsUrl } from "./https-url";
import { emptyResponse } from "./wire";

/** Settings of a Data API. A server fills in what is omitted. */
export const dataApiSettings = z.object({
  db_aggregates_enabled: z.boolean().optional(),
  db_anon_role: z.string().min(1).optional(),
  db_extra_search_path: z.string().optional(),
  db_max_rows: z.int().optional(),
  db_schemas: z.array(z.string().min(1)).optional(),
  jwt_role_claim_key: z.string().optional(),
  jwt_cache_max_lifetime: z.int().optional(),
  openapi_mode: z.string().optional(),
  server_cors_allowed_origins: z.string().optional(),
  server_timing_enabled: z.boolean().optional(),
});
export type DataApiSettings = z.infer<typeof dataApiSettings>;

/** A Data API: the REST interface of one database of a branch. */
export const dataApi = z.looseObject({
  url: z.string(),
  status: z.string(),
  /** Absent or `null` if the server reports none. */
  settings: z.looseObject(dataApiSettings.shape).nullish(),
  available_schemas: z.array(z.string()).nullish(),
});
export type DataApi = z.infer<typeof dataApi>;

/** The body that creates a Data API. Only `settings` can be changed later. */
export const dataApiCreate = z.object({
  auth_provider: z.enum(["neon_auth", "external"]).optional(),
  jwks_url: httpsUrl.optional(),
  provider_name: z.string().min(1).optional(),
  jwt_audience: z.string().min(1).optional(),
  /** Whether `authenticated` may use the tables in the schema `public`. */
  add_default_grants: z.boolean().optional(),
  skip_auth_schema: z.boolean().optional(),
  settings: dataApiSettings.optional(),
});
export type DataApiCreate = z.infer<typeof dataApiCreate>;

/** The body that changes the settings: all of them, because those that are omitted return to their defaults. */
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
