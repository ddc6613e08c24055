import { z } from "zod";

import { pagedRequest, path, type Query, request } from "../core/request";
import { branch } from "./branch";
import { connectionDetails } from "./connection-uri";
import { database } from "./database";
import { endpoint } from "./endpoint";
import { operationsMember } from "./operation";
import { addressableName } from "./postgres-name";
import { computeUnits, defaultEndpointSettings, projectSettings } from "./project-settings";
import { role, unreserved } from "./role";
import { createdAt, cursorPagination, platformId, textMap, timestamp, updatedAt, wholeNumber } from "./wire";

/** The settings of a project. Unknown members are kept. */
const settingsResponse = z.looseObject({
  quota: z.looseObject({}).optional(),
  allowed_ips: z.looseObject({ ips: z.array(z.string()).optional() }).optional(),
  enable_logical_replication: z.boolean().optional(),
  maintenance_window: z.looseObject({}).optional(),
  block_public_connections: z.boolean().optional(),
  block_vpc_connections: z.boolean().optional(),
  audit_log_level: z.string().optional(),
  hipaa: z.boolean().optional(),
  preload_libraries: z.looseObject({}).optional(),
});

/** A project. Lists return fewer members than `projects.get`. */
export const project = z.looseObject({
  id: z.string().describe("Id of the project."),
  name: z.string().describe("Name of the project. Names are not unique."),
  platform_id: z.string().describe("Cloud platform, such as `aws`."),
  region_id: z.string().describe("Region, such as `aws-eu-central-1`."),
  pg_version: wholeNumber.describe("Major version of Postgres."),
  provisioner: z.string().optional().describe("Provisioner of the computes, such as `k8s-neonvm`."),
  locked: z.boolean().optional(),
  cpu_used_sec: z.number().optional(),
  org_id: z.string().optional().describe("Id of the organization that owns the project, if any."),
  owner_id: z.string().optional(),
  store_passwords: z
    .boolean()
    .optional()
    .describe("Whether Neon stores the passwords of roles, so that they can be read again."),
  history_retention_seconds: wholeNumber
    .optional()
    .describe("How long history is retained for branching and restore, in seconds."),
  proxy_host: z.string().optional().describe("Host of the connection proxy."),
  branch_logical_size_limit: wholeNumber.optional().describe("Maximum logical size of a branch, in mebibytes."),
  default_endpoint_settings: z.looseObject({}).optional(),
  settings: settingsResponse.optional(),
  synthetic_storage_size: wholeNumber
    .optional()
    .describe("Size of the data and the write-ahead log of all branches, in bytes."),
  active_time: wholeNumber.optional().meta({
    description: "Time for which computes of the project were active, in seconds.",
    absent: "except in lists",
  }),
  compute_last_active_at: timestamp.optional().meta({
    description: "Latest time at which a compute of the project was active (ISO 8601, UTC).",
    absent: "if none was",
  }),
  consumption_period_start: timestamp
    .optional()
    .meta({ description: "Start of the billing period (ISO 8601, UTC).", absent: "in lists" }),
  consumption_period_end: timestamp
    .optional()
    .meta({ description: "End of the billing period (ISO 8601, UTC).", absent: "in lists" }),
  quota_reset_at: timestamp.optional().meta({
    description: "Time at which the quota of the project is reset (ISO 8601, UTC). Deprecated by Neon.",
    absent: "except in lists",
  }),
  maintenance_starts_at: timestamp.optional().meta({
    description: "Time at which the maintenance of the project begins (ISO 8601, UTC).",
    absent: "if none is planned",
  }),
  hipaa_enabled_at: timestamp
    .optional()
    .meta({ description: "Time at which HIPAA was enabled (ISO 8601, UTC).", absent: "if HIPAA is not enabled" }),
  creation_source: z.string().optional().describe("Client that created the project, such as `console`."),
  created_at: createdAt,
  updated_at: updatedAt,
  deleted_at: timestamp
    .optional()
    .describe("Time of its deletion (ISO 8601, UTC). Absent if the project is not deleted."),
  recoverable_until: timestamp
    .optional()
    .describe("Until when a deleted project can be recovered (ISO 8601, UTC). Absent if it is not deleted."),
});
export type Project = z.infer<typeof project>;

/** The project defaults: the branch, role and database that are created with the project. */
export const firstBranch = z.object({
  name: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .meta({ description: "Name of the branch.", omitted: "chosen by Neon, such as `main`" }),
  role_name: addressableName.check(unreserved).optional().meta({
    description: "Name of the role that owns the database.",
    omitted: "the database's name with the suffix `_owner`",
  }),
  database_name: addressableName.optional().meta({ description: "Name of the database.", default: "neondb" }),
  annotations: textMap.optional().describe("Annotations of the branch: names and values as strings."),
});

/** Members of the bodies that create and update a project. */
const changeable = {
  name: z.string().min(1).max(256).optional(),
  history_retention_seconds: z.int().min(0).max(2_592_000).optional(),
  default_endpoint_settings: defaultEndpointSettings.optional(),
  settings: projectSettings.optional(),
};

export const projectCreate = z.object({
  ...changeable,
  region_id: z.string().min(1).optional(),
  pg_version: z.int().min(14).optional(),
  org_id: platformId.optional(),
  provisioner: z.string().min(1).optional(),
  store_passwords: z.boolean().optional(),
  autoscaling_limit_min_cu: computeUnits.optional(),
  autoscaling_limit_max_cu: computeUnits.optional(),
  branch: firstBranch.optional(),
});
export type ProjectCreate = z.infer<typeof projectCreate>;

export const projectUpdate = z.object(changeable);
export type ProjectUpdate = z.infer<typeof projectUpdate>;

const projectResponse = z.looseObject({ project });
const projectPage = z.looseObject({
  projects: z.array(project),
  /** Projects that exist, but could not be loaded in time. */
  unavailable_project_ids: z.array(z.string()).optional(),
  pagination: cursorPagination.optional(),
});
const projectCreated = z.looseObject({
  project,
  branch,
  endpoints: z.array(endpoint).default([]),
  operations: operationsMember,
  roles: z.array(role).default([]),
  databases: z.array(database).default([]),
  connection_uris: z.array(connectionDetails).default([]),
});
const projectRecovered = z.looseObject({ project, branches: z.array(branch).default([]) });
const projectChanged = z.looseObject({ project, operations: operationsMember });

/** Filter of the list of projects. */
export interface ProjectListQuery {
  /** Matches part of a name or id. */
  readonly search?: string | undefined;
  /** Required for a personal API key whose projects belong to an organization. */
  readonly orgId?: string | undefined;
  /** List deleted projects that can be recovered instead. Default: list existing projects. */
  readonly recoverable?: true | undefined;
}

const projectList = (listPath: string, query: Query) =>
  pagedRequest("cursor", listPath, projectPage, {
    query,
    items: (page) => page.projects,
    omitted: (page) => page.unavailable_project_ids?.length ?? 0,
    maxPageSize: 400,
  });

/** Requests for projects. */
export const projects = {
  list: (query: ProjectListQuery = {}) =>
    projectList("/projects", { search: query.search, org_id: query.orgId, recoverable: query.recoverable }),
  /** The projects that other accounts share with the user. */
  listShared: (query: Pick<ProjectListQuery, "search"> = {}) =>
    projectList("/projects/shared", { search: query.search }),
  get: (projectId: string) => request("GET", path`/projects/${projectId}`, projectResponse),
  create: (body: ProjectCreate) => request("POST", "/projects", projectCreated, { body: { project: body } }),
  update: (projectId: string, body: ProjectUpdate) =>
    request("PATCH", path`/projects/${projectId}`, projectChanged, { body: { project: body } }),
  delete: (projectId: string) => request("DELETE", path`/projects/${projectId}`, projectResponse),
  /** Takes back the deletion of a project, with its branches, computes, settings and data. Possible for 7 days. */
  recover: (projectId: string) => request("POST", path`/projects/${projectId}/recover`, projectRecovered),
};
