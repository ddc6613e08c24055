import { z } from "zod";

import { path, request } from "../core/request";
import { operationsMember } from "./operation";
import { computeUnits, endpointSettings, suspendTimeoutSeconds } from "./project-settings";
import { textMap, timestamp } from "./wire";

const endpointSettingsResponse = z.looseObject({
  pg_settings: textMap.optional(),
  pgbouncer_settings: textMap.optional(),
  preload_libraries: z
    .looseObject({ use_defaults: z.boolean().optional(), enabled_libraries: z.array(z.string()).optional() })
    .optional(),
});

/** A compute. The API calls it an endpoint. */
export const endpoint = z.looseObject({
  id: z.string(),
  project_id: z.string(),
  branch_id: z.string(),
  type: z.string(),
  host: z.string(),
  name: z.string().optional(),
  region_id: z.string().optional(),
  current_state: z.string(),
  pending_state: z.string().optional(),
  autoscaling_limit_min_cu: z.number().optional(),
  autoscaling_limit_max_cu: z.number().optional(),
  suspend_timeout_seconds: z.number().optional(),
  provisioner: z.string().optional(),
  settings: endpointSettingsResponse.optional(),
  pooler_enabled: z.boolean().optional(),
  pooler_mode: z.string().optional(),
  disabled: z.boolean().optional(),
  passwordless_access: z.boolean().optional(),
  started_at: timestamp.optional(),
  last_active: timestamp.optional(),
  created_at: timestamp,
  updated_at: timestamp.optional(),
});
export type Endpoint = z.infer<typeof endpoint>;

/** The size of a compute, in requests. */
const sizing = {
  autoscaling_limit_min_cu: computeUnits.optional(),
  autoscaling_limit_max_cu: computeUnits.optional(),
  suspend_timeout_seconds: suspendTimeoutSeconds.optional(),
  provisioner: z.string().min(1).optional(),
  settings: endpointSettings.optional(),
};
const connection = {
  name: z.string().min(1).max(64).optional(),
  pooler_enabled: z.boolean().optional(),
  pooler_mode: z.literal("transaction").optional(),
  disabled: z.boolean().optional(),
  passwordless_access: z.boolean().optional(),
};

/** A compute in the request that creates its branch. */
export const branchEndpointCreate = z.object({ type: z.enum(["read_write", "read_only"]), ...sizing });
export type BranchEndpointCreate = z.infer<typeof branchEndpointCreate>;

export const endpointCreate = z.object({
  branch_id: z.string(),
  type: z.enum(["read_write", "read_only"]),
  region_id: z.string().optional(),
  ...sizing,
  ...connection,
});
export type EndpointCreate = z.infer<typeof endpointCreate>;

export const endpointUpdate = z.object({ branch_id: z.string().optional(), ...sizing, ...connection });
export type EndpointUpdate = z.infer<typeof endpointUpdate>;

const endpointResponse = z.looseObject({ endpoint });
const endpointList = z.looseObject({ endpoints: z.array(endpoint) });
const endpointChanged = z.looseObject({ endpoint, operations: operationsMember });
/** Deleting a deleted compute returns a 204 without a body. */
const endpointDeleted = z.looseObject({ endpoint: endpoint.optional(), operations: operationsMember });

/** Requests for computes. */
export const endpoints = {
  list: (projectId: string) => request("GET", path`/projects/${projectId}/endpoints`, endpointList),
  listOfBranch: (projectId: string, branchId: string) =>
    request("GET", path`/projects/${projectId}/branches/${branchId}/endpoints`, endpointList),
  get: (projectId: string, endpointId: string) =>
    request("GET", path`/projects/${projectId}/endpoints/${endpointId}`, endpointResponse),
  create: (projectId: string, body: EndpointCreate) =>
    request("POST", path`/projects/${projectId}/endpoints`, endpointChanged, { body: { endpoint: body } }),
  update: (projectId: string, endpointId: string, body: EndpointUpdate) =>
    request("PATCH", path`/projects/${projectId}/endpoints/${endpointId}`, endpointChanged, {
      body: { endpoint: body },
    }),
  delete: (projectId: string, endpointId: string) =>
    request("DELETE", path`/projects/${projectId}/endpoints/${endpointId}`, endpointDeleted),
  /** Starts, suspends or restarts a compute. */
  act: (projectId: string, endpointId: string, action: "start" | "suspend" | "restart") =>
    request("POST", path`/projects/${projectId}/endpoints/${endpointId}/${action}`, endpointChanged),
};
