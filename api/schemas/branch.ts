import { z } from "zod";

import { type PagedRequest, path, request } from "../core/request";
import { connectionDetails } from "./connection-uri";
import { database } from "./database";
import { branchEndpointCreate, endpoint } from "./endpoint";
import { operationsMember } from "./operation";
import { role } from "./role";
import { instant, nextPagination, textMap, timestamp } from "./wire";

/** A branch. The response contains its annotations in a separate member. */
export const branch = z.looseObject({
  id: z.string(),
  project_id: z.string(),
  name: z.string(),
  parent_id: z.string().optional(),
  parent_lsn: z.string().optional(),
  parent_timestamp: timestamp.optional(),
  init_source: z.string().optional(),
  /** The snapshot that it was restored from. */
  restored_from: z.string().optional(),
  /** `restored`, or `finalized` once it has replaced the branch in `restored_as`. `detaching` for a while after either. */
  restore_status: z.string().optional(),
  /** The branch that it replaces, or has replaced. */
  restored_as: z.string().optional(),
  current_state: z.string(),
  pending_state: z.string().optional(),
  default: z.boolean().optional(),
  protected: z.boolean().optional(),
  expires_at: timestamp.nullable().optional(),
  last_reset_at: timestamp.optional(),
  state_changed_at: timestamp.optional(),
  created_at: timestamp,
  updated_at: timestamp.optional(),
});
export type Branch = z.infer<typeof branch>;

/** The key of the annotation that holds this package's ownership tag. It is hidden from users. */
export const tagAnnotation = "neon-pulumi";

/** Removes this package's ownership tag from annotations. */
export function withoutTag(annotations: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations).filter(([name]) => name !== tagAnnotation));
}

/** The annotations of an object. */
export const annotation = z.looseObject({ value: textMap });

/** A log sequence number of Postgres. */
export const lsn = z
  .string()
  .regex(/^[0-9A-Fa-f]{1,8}\/[0-9A-Fa-f]{1,8}$/, 'must be a log sequence number such as "0/1DE2850"');

export const branchCreate = z.object({
  parent_id: z.string().min(1).optional(),
  name: z.string().min(1).max(256).optional(),
  parent_lsn: lsn.optional(),
  parent_timestamp: instant.optional(),
  protected: z.boolean().optional(),
  archived: z.boolean().optional(),
  init_source: z.enum(["parent-data", "schema-only"]).optional(),
  expires_at: instant.optional(),
});

/** The body that creates a branch. */
export const branchCreateBody = z.object({
  branch: branchCreate.optional(),
  endpoints: z.array(branchEndpointCreate).optional(),
  annotation_value: textMap.optional(),
});
export type BranchCreateBody = z.infer<typeof branchCreateBody>;

export const branchUpdate = z.object({
  name: z.string().min(1).max(256).optional(),
  protected: z.boolean().optional(),
  /** `null` removes the expiration. */
  expires_at: instant.nullable().optional(),
});
export type BranchUpdate = z.infer<typeof branchUpdate>;

/** The body that restores a branch. */
export const branchRestore = z.object({
  source_branch_id: z.string().min(1),
  source_lsn: lsn.optional(),
  source_timestamp: instant.optional(),
  /** An empty text has no effect. */
  preserve_under_name: z.string().max(256).optional(),
});
export type BranchRestore = z.infer<typeof branchRestore>;

/** The body that finalizes a restore. */
export const branchFinalize = z.object({ name: z.string().min(1).max(256).optional() });
type BranchFinalize = z.infer<typeof branchFinalize>;

/** The query for the schema of a database. */
export const branchSchemaQuery = z.object({
  db_name: z.string().min(1),
  lsn: lsn.optional(),
  timestamp: instant.optional(),
  format: z.enum(["sql", "json"]).optional(),
});
export type BranchSchemaQuery = z.infer<typeof branchSchemaQuery>;

/** The query that compares the schemas of a database on two branches. */
export const schemaComparisonQuery = branchSchemaQuery.omit({ format: true }).extend({
  base_branch_id: z.string().min(1).optional(),
  base_lsn: lsn.optional(),
  base_timestamp: instant.optional(),
});
export type SchemaComparisonQuery = z.infer<typeof schemaComparisonQuery>;

/** A table of a schema in JSON format. */
export const schemaTable = z.looseObject({
  schema: z.string(),
  name: z.string(),
  columns: z.array(
    z.looseObject({
      name: z.string(),
      type: z.string(),
      nullable: z.boolean().optional(),
      generated: z.boolean().optional(),
    }),
  ),
  constraints: z
    .array(
      z.looseObject({
        type: z.string(),
        columns: z.array(z.string()),
        name: z.string().optional(),
        referenced_table: z
          .looseObject({ schema: z.string(), table: z.string(), columns: z.array(z.string()) })
          .optional(),
      }),
    )
    .optional(),
});
export type SchemaTable = z.infer<typeof schemaTable>;

const branchResponse = z.looseObject({ branch, annotation: annotation.optional() });
const branchPage = z.looseObject({
  branches: z.array(branch),
  annotations: z.record(z.string(), annotation).optional(),
  pagination: nextPagination.optional(),
});
export const branchCreated = z.looseObject({
  branch,
  endpoints: z.array(endpoint).default([]),
  operations: operationsMember,
  roles: z.array(role).default([]),
  databases: z.array(database).default([]),
  connection_uris: z.array(connectionDetails).optional(),
});
const branchChanged = z.looseObject({ branch, operations: operationsMember });
const branchDeleted = z.looseObject({ branch: branch.optional(), operations: operationsMember });
const branchRecovered = z.looseObject({ branch, endpoints: z.array(endpoint).default([]) });
const restoreFinalized = z.looseObject({ operations: operationsMember });
const branchSchema = z.looseObject({
  sql: z.string().optional(),
  json: z.looseObject({ tables: z.array(schemaTable) }).optional(),
});
const schemaComparison = z.looseObject({ diff: z.string().optional() });

/** Filter and order of the list of branches. */
interface BranchListQuery {
  /** Matches part of a name or id. */
  readonly search?: string | undefined;
  /**
   * Default: `created_at`. With `updated_at`, pages may repeat or skip a branch that changes while the list is read.
   */
  readonly sortBy?: "name" | "created_at" | "updated_at" | undefined;
  readonly sortOrder?: "asc" | "desc" | undefined;
}

/** A branch with its annotations. */
export interface AnnotatedBranch {
  readonly branch: Branch;
  readonly annotations: Readonly<Record<string, string>>;
}

const branchCount = z.looseObject({ count: z.number() });

/** Requests for branches. */
export const branches = {
  list: (
    projectId: string,
    query: BranchListQuery = {},
  ): PagedRequest<AnnotatedBranch, z.infer<typeof branchPage>> => ({
    method: "GET",
    path: path`/projects/${projectId}/branches`,
    query: { search: query.search, sort_by: query.sortBy ?? "created_at", sort_order: query.sortOrder },
    schema: branchPage,
    items: (page) =>
      page.branches.map((entry) => ({ branch: entry, annotations: page.annotations?.[entry.id]?.value ?? {} })),
    cursor: (page) => page.pagination?.next,
    isCursorOptional: true,
    maxPageSize: 10_000,
  }),
  /** How many branches a project has; with a text, of those whose names contain it. */
  count: (projectId: string, search?: string) =>
    request("GET", path`/projects/${projectId}/branches/count`, branchCount, { query: { search } }),
  get: (projectId: string, branchId: string) =>
    request("GET", path`/projects/${projectId}/branches/${branchId}`, branchResponse),
  create: (projectId: string, body: BranchCreateBody) =>
    request("POST", path`/projects/${projectId}/branches`, branchCreated, { body }),
  update: (projectId: string, branchId: string, body: BranchUpdate) =>
    request("PATCH", path`/projects/${projectId}/branches/${branchId}`, branchChanged, { body: { branch: body } }),
  delete: (projectId: string, branchId: string) =>
    request("DELETE", path`/projects/${projectId}/branches/${branchId}`, branchDeleted),
  restore: (projectId: string, branchId: string, body: BranchRestore) =>
    request("POST", path`/projects/${projectId}/branches/${branchId}/restore`, branchChanged, { body }),
  setAsDefault: (projectId: string, branchId: string) =>
    request("POST", path`/projects/${projectId}/branches/${branchId}/set_as_default`, branchChanged),
  recover: (projectId: string, branchId: string) =>
    request("POST", path`/projects/${projectId}/branches/${branchId}/recover`, branchRecovered),
  finalizeRestore: (projectId: string, branchId: string, body?: BranchFinalize) =>
    request("POST", path`/projects/${projectId}/branches/${branchId}/finalize_restore`, restoreFinalized, { body }),
  schema: (projectId: string, branchId: string, query: BranchSchemaQuery) =>
    request("GET", path`/projects/${projectId}/branches/${branchId}/schema`, branchSchema, { query }),
  compareSchema: (projectId: string, branchId: string, query: SchemaComparisonQuery) =>
    request("GET", path`/projects/${projectId}/branches/${branchId}/compare_schema`, schemaComparison, { query }),
};
