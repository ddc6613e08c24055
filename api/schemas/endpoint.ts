import { z } from "zod";

import { path, request } from "../core/request";
import { operationsMember } from "./operation";
import { computeSize, endpointSettings, preloadLibraryNames } from "./project-settings";
import { createdAt, idOfBranch, idOfProject, timestamp } from "./wire";

const endpointSettingsResponse = z
  .looseObject({
    ...endpointSettings.shape,
    preload_libraries: z
      .looseObject(preloadLibraryNames.shape)
      .describe("Libraries that Postgres loads at startup.")
      .optional(),
  })
  .meta({ title: "EndpointSettingsResult", description: "Settings of a compute." });

/** The size of a compute. */
export const computeSizing = {
  ...computeSize,
  provisioner: z.string().min(1).optional().describe("Provisioner of the compute, such as `k8s-neonvm`."),
};

/** The host of the connection pooler. Few responses contain it, but it follows from the compute's host. */
export const poolerHost = z.string().describe("Host of the compute's connection pooler.");

/** A compute. The API calls it an endpoint. */
export const endpoint = z.looseObject({
  id: z.string().describe("Id of the compute, such as `ep-cool-darkness-123456`."),
  project_id: idOfProject,
  branch_id: idOfBranch,
  type: z
    .string()
    .describe("Type of the compute: `read_write` or `read_only`. Newer versions of the API can return other values."),
  name: z.string().optional().meta({ description: "Name of the compute.", absent: "if it has none" }),
  host: z.string().describe("Host to connect to."),
  region_id: z.string().optional().describe("Region of the compute."),
  current_state: z
    .string()
    .describe(
      "`init`, `active` or `idle`. Newer versions of the API can return other values. It changes on its own when the compute is inactive and when a client connects.",
    ),
  pending_state: z.string().optional(),
  autoscaling_limit_min_cu: z.number().optional(),
  autoscaling_limit_max_cu: z.number().optional(),
  suspend_timeout_seconds: z.number().optional(),
  provisioner: z.string().optional(),
  settings: endpointSettingsResponse.optional().describe("Postgres settings of the compute."),
  pooler_enabled: z.boolean().optional(),
  pooler_mode: z.string().optional(),
  disabled: z
    .boolean()
    .optional()
    .describe("Whether the compute is disabled: it is suspended, and connecting to it does not start it."),
  passwordless_access: z.boolean().optional(),
  started_at: timestamp.optional(),
  last_active: timestamp
    .optional()
    .meta({ description: "Time of the last activity of a client (ISO 8601, UTC).", absent: "if there was none" }),
  suspended_at: timestamp
    .optional()
    .meta({ description: "Time at which the compute was last suspended (ISO 8601, UTC).", absent: "if it never was" }),
  compute_release_version: z.string().optional().meta({
    description: "Version of the compute's software, which Neon changes at a restart.",
    absent: "before the first start",
  }),
  creation_source: z.string().optional().describe("Client that created the compute, such as `console`."),
  created_at: createdAt,
  updated_at: timestamp.optional(),
});
export type Endpoint = z.infer<typeof endpoint>;

const connection = {
  name: z.string().min(1).max(64).optional(),
  pooler_enabled: z.boolean().optional().meta({
    description: "Whether all connections are pooled, also those that do not use the pooler's host.",
    default: false,
    deprecationMessage: "Connect to `poolerHost` for a pooled connection.",
  }),
  pooler_mode: z.literal("transaction").optional().meta({
    description: "Pooling mode.",
    default: "transaction",
    deprecationMessage: "There is only one mode. Connect to `poolerHost` for a pooled connection.",
  }),
  disabled: z.boolean().optional(),
  passwordless_access: z.boolean().optional().meta({
    description: "Whether connections without a password are allowed. Neon stores this value but does not use it yet.",
    default: true,
  }),
};
const changeable = { ...computeSizing, settings: endpointSettings.optional() };

/** A compute in the request that creates its branch. */
export const branchEndpointCreate = z.object({ type: z.enum(["read_write", "read_only"]), ...changeable });
export type BranchEndpointCreate = z.infer<typeof branchEndpointCreate>;

export const endpointCreate = z.object({
  branch_id: z.string(),
  type: z.enum(["read_write", "read_only"]),
  region_id: z.string().optional(),
  ...changeable,
  ...connection,
});
export type EndpointCreate = z.infer<typeof endpointCreate>;

export const endpointUpdate = z.object({ branch_id: z.string().optional(), ...changeable, ...connection });
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
