import { z } from "zod";

import { path, type PagedRequest, type Request } from "../request";
import { connectionDetails } from "./connection-uri";
import { database } from "./database";
import { branchEndpointCreate, endpoint } from "./endpoint";
import { operationsMember } from "./operation";
import { role } from "./role";
import { instant, nextPagination, textMap, timestamp } from "./wire";

/** A branch, as the platform reports it. Its annotations come beside it, not in it. */
export const branch = z.looseObject({
  id: z.string(),
  project_id: z.string(),
  name: z.string(),
  parent_id: z.string().optional(),
  parent_lsn: z.string().optional(),
  parent_timestamp: timestamp.optional(),
  init_source: z.string().optional(),
  current_state: z.string(),
  pending_state: z.string().optional(),
  default: z.boolean().optional(),
  protected: z.boolean().optional(),
  expires_at: timestamp.nullable().optional(),
  created_at: timestamp,
  updated_at: timestamp.optional(),
});
export type Branch = z.infer<typeof branch>;

/** The annotation that holds this package's own mark; it is never shown as one of the user's. */
export const markAnnotation = "neon-pulumi";

/** Annotations without this package's own mark. */
export function withoutMark(annotations: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations).filter(([name]) => name !== markAnnotation));
}

/** What the platform stores beside an object: free text by text. */
export const annotation = z.looseObject({ value: textMap });

export const branchCreate = z.object({
  parent_id: z.string().min(1).optional(),
  name: z.string().min(1).max(256).optional(),
  parent_lsn: z
    .string()
    .regex(/^[0-9A-Fa-f]{1,8}\/[0-9A-Fa-f]{1,8}$/, 'must be a log sequence number such as "0/1DE2850"')
    .optional(),
  parent_timestamp: instant.optional(),
  protected: z.boolean().optional(),
  archived: z.boolean().optional(),
  init_source: z.enum(["parent-data", "schema-only"]).optional(),
  expires_at: instant.optional(),
});
export type BranchCreate = z.infer<typeof branchCreate>;

/** The body of create-branch; all of it is optional. */
export const branchCreateBody = z.object({
  branch: branchCreate.optional(),
  endpoints: z.array(branchEndpointCreate).optional(),
  annotation_value: textMap.optional(),
});
export type BranchCreateBody = z.infer<typeof branchCreateBody>;

export const branchUpdate = z.object({
  name: z.string().min(1).max(256).optional(),
  protected: z.boolean().optional(),
  /** `null` clears, omission leaves. */
  expires_at: instant.nullable().optional(),
});
export type BranchUpdate = z.infer<typeof branchUpdate>;

const branchAnswer = z.looseObject({ branch, annotation: annotation.optional() });
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

/** How the list of branches is narrowed and ordered. */
export interface BranchListQuery {
  /** Part of a name or id. */
  readonly search?: string | undefined;
  /** Platform's default: `updated_at`, under which pages can repeat or lose a branch that changes meanwhile. */
  readonly sortBy?: "name" | "created_at" | "updated_at" | undefined;
  readonly sortOrder?: "asc" | "desc" | undefined;
}

/** A branch together with its annotations, as the list of branches tells them. */
export interface AnnotatedBranch {
  readonly branch: Branch;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Requests for branches. */
export const branches = {
  list: (
    projectId: string,
    query: BranchListQuery = {},
  ): PagedRequest<AnnotatedBranch, z.infer<typeof branchPage>> => ({
    method: "GET",
    path: path`/projects/${projectId}/branches`,
    query: { search: query.search, sort_by: query.sortBy ?? "created_at", sort_order: query.sortOrder },
    answer: branchPage,
    items: (page) =>
      page.branches.map((entry) => ({ branch: entry, annotations: page.annotations?.[entry.id]?.value ?? {} })),
    cursor: (page) => page.pagination?.next,
    maxPageSize: 10_000,
  }),
  get: (projectId: string, branchId: string): Request<z.infer<typeof branchAnswer>> => ({
    method: "GET",
    path: path`/projects/${projectId}/branches/${branchId}`,
    answer: branchAnswer,
  }),
  create: (projectId: string, body: BranchCreateBody): Request<z.infer<typeof branchCreated>> => ({
    method: "POST",
    path: path`/projects/${projectId}/branches`,
    body,
    answer: branchCreated,
  }),
  update: (projectId: string, branchId: string, body: BranchUpdate): Request<z.infer<typeof branchChanged>> => ({
    method: "PATCH",
    path: path`/projects/${projectId}/branches/${branchId}`,
    body: { branch: body },
    answer: branchChanged,
  }),
  delete: (projectId: string, branchId: string): Request<z.infer<typeof branchDeleted>> => ({
    method: "DELETE",
    path: path`/projects/${projectId}/branches/${branchId}`,
    answer: branchDeleted,
  }),
};
