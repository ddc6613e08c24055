import { z } from "zod";

import { pagedRequest, path, request } from "../core/request";
import { connectionDetails } from "./connection-uri";
import { database } from "./database";
import { branchEndpointCreate, endpoint } from "./endpoint";
import { operationsMember } from "./operation";
import { role } from "./role";
import { createdAt, idOfProject, instant, nextPagination, textMap, timestamp, updatedAt, wholeNumber } from "./wire";

/** A branch. The response contains its annotations in a separate member. */
export const branch = z.looseObject({
  id: z.string().describe("Id of the branch, such as `br-wispy-meadow-118737`."),
  project_id: idOfProject,
  name: z.string().describe("Name of the branch, unique in the project."),
  parent_id: z.string().optional().meta({ description: "Id of the parent branch.", absent: "for a root branch" }),
  parent_lsn: z
    .string()
    .optional()
    .describe("Log sequence number of the parent at which the branch starts, such as `0/1DE2850`."),
  parent_timestamp: timestamp
    .optional()
    .describe("Time in the parent's history at which the branch starts (ISO 8601), such as `2030-01-31T12:00:00Z`."),
  init_source: z.string().optional(),
  restored_from: z.string().optional().describe("Id of the snapshot that the branch was restored from."),
  /**
   * `restored`, or `finalized` once this branch has replaced the one in `restored_as`. `detaching` for a while after
   * either.
   */
  restore_status: z.string().optional(),
  /** The branch that this one will replace or has replaced. */
  restored_as: z.string().optional(),
  current_state: z
    .string()
    .describe("`init`, `resetting`, `ready` or `archived`. Newer versions of the API can return other values."),
  pending_state: z.string().optional(),
  default: z.boolean().optional().describe("Whether this is the project's default branch."),
  protected: z.boolean().optional().describe("Whether the branch is protected from deletion."),
  expires_at: timestamp.optional().meta({
    description: "Time at which Neon deletes the branch (ISO 8601), such as `2030-01-31T12:00:00Z`.",
    absent: "if it never expires",
  }),
  ttl_interval_seconds: wholeNumber.optional().meta({
    description:
      "Time from when the expiration was last set until the branch expires, in seconds. A reset from the parent begins it again.",
    absent: "if the branch never expires",
  }),
  last_reset_at: timestamp.optional(),
  state_changed_at: timestamp.optional(),
  creation_source: z.string().optional().describe("Client that created the branch, such as `console`."),
  restricted_actions: z
    .array(
      z
        .looseObject({
          name: z
            .string()
            .describe(
              "Action, such as `restore` or `delete-rw-endpoint`. Newer versions of the API can return other values.",
            ),
          reason: z.string().describe("Why Neon refuses the action."),
        })
        .meta({ title: "BranchRestrictedAction", description: "An action that Neon refuses on a branch." }),
    )
    .optional()
    .meta({ description: "Actions that Neon refuses on the branch at present.", absent: "if there are none" }),
  recovery: z
    .looseObject({
      deleted_at: timestamp.describe("Time of its deletion (ISO 8601, UTC)."),
      recoverable_until: timestamp.describe("Until when the branch can be recovered (ISO 8601, UTC)."),
      deletion_method: z.string().describe("`user` if somebody deleted the branch, `ttl` if it expired."),
    })
    .meta({ title: "BranchRecovery", description: "The deletion of a branch that can be recovered." })
    .optional()
    .meta({ description: "Deletion of the branch.", absent: "if the branch is not deleted" }),
  created_at: createdAt,
  updated_at: updatedAt,
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

/** The annotations of a branch that users see. */
export const branchAnnotations = textMap.describe("Annotations of the branch, without the provider's own.");

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
  archived: z
    .boolean()
    .optional()
    .meta({ description: "Whether to archive the branch when it is created.", default: false }),
  init_source: z.enum(["parent-data", "schema-only"]).optional().meta({
    description: "`parent-data` copies the parent's schema and data, `schema-only` its schema.",
    default: "parent-data",
  }),
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
  source_timestamp: instant
    .optional()
    .describe(
      "Time in the source's history to restore, such as `2030-01-31T12:00:00Z`. Conflicts with `sourceLsn`. Default: now.",
    ),
  source_lsn: lsn
    .optional()
    .describe(
      "Log sequence number of the source to restore, such as `0/1DE2850`. Conflicts with `sourceTimestamp`. Default: the latest.",
    ),
  /** An empty text has no effect. */
  preserve_under_name: z
    .string()
    .max(256)
    .optional()
    .describe(
      "Name of a new branch that keeps the current data and becomes the parent of this branch's children. This resource does not manage the new branch. Required if the branch has children, and to restore from the branch's own history. Default: the current data is lost.",
    ),
});
export type BranchRestore = z.infer<typeof branchRestore>;

/** The body that finalizes a restore. */
export const branchFinalize = z.object({ name: z.string().min(1).max(256).optional() });
type BranchFinalize = z.infer<typeof branchFinalize>;

/** The query for the schema of a database. */
export const branchSchemaQuery = z.object({
  db_name: z.string().min(1).describe("Name of the database."),
  lsn: lsn
    .optional()
    .describe(
      "Log sequence number of the branch to read at, such as `0/1DE2850`. Conflicts with `timestamp`. Default: the latest.",
    ),
  timestamp: instant
    .optional()
    .describe("Time to read the branch at, such as `2030-01-31T12:00:00Z`. Conflicts with `lsn`. Default: now."),
  format: z
    .enum(["sql", "json"])
    .optional()
    .describe("`sql` returns the member `sql`, `json` the member `tables`. Default: `sql`."),
});
export type BranchSchemaQuery = z.infer<typeof branchSchemaQuery>;

/** The query that compares the schemas of a database on two branches. */
export const schemaComparisonQuery = branchSchemaQuery.omit({ format: true }).extend({
  base_branch_id: z
    .string()
    .min(1)
    .optional()
    .describe("Branch to compare with. Required if the branch has no parent. Default: the parent."),
  base_lsn: lsn
    .optional()
    .describe(
      "Log sequence number of the base branch to read at. Conflicts with `baseTimestamp`. Default: the latest.",
    ),
  base_timestamp: instant
    .optional()
    .describe("Time to read the base branch at. Conflicts with `baseLsn`. Default: now."),
});
export type SchemaComparisonQuery = z.infer<typeof schemaComparisonQuery>;

const schemaColumn = z
  .looseObject({
    name: z.string().describe("Name of the column."),
    type: z.string().describe("Postgres type, such as `bigint`."),
    nullable: z.boolean().optional().describe("Whether the column accepts NULL."),
    generated: z.boolean().optional().describe("Whether the column is generated from other columns."),
  })
  .meta({ title: "SchemaColumn", description: "A column of a table." });
const schemaReference = z
  .looseObject({
    schema: z.string().describe("Postgres schema of the table."),
    table: z.string().describe("Name of the table."),
    columns: z.array(z.string()).describe("Referenced columns."),
  })
  .meta({ title: "SchemaReference", description: "The table that a foreign key references." });
const schemaConstraint = z
  .looseObject({
    type: z
      .string()
      .describe("`primary_key`, `unique` or `foreign_key`. Newer versions of the API can return other values."),
    columns: z.array(z.string()).describe("Constrained columns."),
    name: z.string().optional().describe("Name of the constraint, if it has one."),
    referenced_table: schemaReference.optional().describe("Table that a foreign key references."),
  })
  .meta({ title: "SchemaConstraint", description: "A constraint of a table." });

/** A table of a schema in JSON format. */
export const schemaTable = z
  .looseObject({
    schema: z.string().describe("Postgres schema of the table, such as `public`."),
    name: z.string().describe("Name of the table."),
    columns: z.array(schemaColumn).describe("Columns of the table."),
    constraints: z.array(schemaConstraint).optional().describe("Constraints of the table, if Neon returns them."),
  })
  .meta({ title: "SchemaTable", description: "A table of a database." });
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
export interface BranchListQuery {
  /** Matches part of a name or id. */
  readonly search?: string | undefined;
  /**
   * Default: `created_at`. With `updated_at`, pages may repeat or skip a branch that changes while the list is read.
   */
  readonly sortBy?: "name" | "created_at" | "updated_at" | undefined;
  readonly sortOrder?: "asc" | "desc" | undefined;
  /** Whether the list has the deleted branches that can be recovered, too. */
  readonly includeDeleted?: boolean | undefined;
}

/** A branch with its annotations. */
export interface AnnotatedBranch {
  readonly branch: Branch;
  readonly annotations: Readonly<Record<string, string>>;
}

export const branchCount = z.looseObject({ count: wholeNumber.describe("Number of branches.") });

/** Requests for branches. */
export const branches = {
  list: (projectId: string, query: BranchListQuery = {}) =>
    pagedRequest("next", path`/projects/${projectId}/branches`, branchPage, {
      query: {
        search: query.search,
        sort_by: query.sortBy ?? "created_at",
        sort_order: query.sortOrder,
        include_deleted: query.includeDeleted,
      },
      items: (page) =>
        page.branches.map((entry) => ({ branch: entry, annotations: page.annotations?.[entry.id]?.value ?? {} })),
      maxPageSize: 10_000,
    }),
  /** Counts the branches of a project, or only those whose names contain a text. */
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
