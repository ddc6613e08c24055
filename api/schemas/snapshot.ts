import { z } from "zod";

import { path, type Request } from "../request";
import { branch, lsn } from "./branch";
import { endpoint } from "./endpoint";
import { operationsMember } from "./operation";
import { instant, timestamp } from "./wire";

/** A snapshot of a branch. */
export const snapshot = z.looseObject({
  id: z.string(),
  name: z.string(),
  lsn: z.string().optional(),
  timestamp: timestamp.optional(),
  source_branch_id: z.string().optional(),
  created_at: timestamp,
  expires_at: timestamp.optional(),
  /** `false` if a backup schedule took the snapshot. */
  manual: z.boolean().optional(),
});
export type Snapshot = z.infer<typeof snapshot>;

/** The query that takes a snapshot. */
export const snapshotCreate = z.object({
  name: z.string().min(1).optional(),
  lsn: lsn.optional(),
  timestamp: instant.optional(),
  expires_at: instant.optional(),
});
export type SnapshotCreate = z.infer<typeof snapshotCreate>;

export const snapshotUpdate = snapshotCreate.pick({ name: true });
export type SnapshotUpdate = z.infer<typeof snapshotUpdate>;

/** The body that restores a snapshot. */
export const snapshotRestore = z.object({
  /** The name of the new branch. */
  name: z.string().min(1).max(256).optional(),
  /** The branch to replace. Default: the source of the snapshot. */
  target_branch_id: z.string().min(1).optional(),
  /** Whether the new branch replaces the target immediately. */
  finalize_restore: z.boolean().optional(),
});
export type SnapshotRestore = z.infer<typeof snapshotRestore>;

const snapshotList = z.looseObject({ snapshots: z.array(snapshot) });
const snapshotResponse = z.looseObject({ snapshot });
const snapshotCreated = z.looseObject({ snapshot, operations: operationsMember });
const snapshotDeleted = z.looseObject({ operations: operationsMember });
const snapshotRestored = z.looseObject({
  branch,
  endpoints: z.array(endpoint).default([]),
  operations: operationsMember,
});

/** Requests for snapshots. There is no request for a single one: search the list. */
export const snapshots = {
  list: (projectId: string): Request<z.infer<typeof snapshotList>> => ({
    method: "GET",
    path: path`/projects/${projectId}/snapshots`,
    schema: snapshotList,
  }),
  create: (projectId: string, branchId: string, query: SnapshotCreate): Request<z.infer<typeof snapshotCreated>> => ({
    method: "POST",
    path: path`/projects/${projectId}/branches/${branchId}/snapshot`,
    query,
    schema: snapshotCreated,
  }),
  update: (projectId: string, snapshotId: string, body: SnapshotUpdate): Request<z.infer<typeof snapshotResponse>> => ({
    method: "PATCH",
    path: path`/projects/${projectId}/snapshots/${snapshotId}`,
    body: { snapshot: body },
    schema: snapshotResponse,
  }),
  delete: (projectId: string, snapshotId: string): Request<z.infer<typeof snapshotDeleted>> => ({
    method: "DELETE",
    path: path`/projects/${projectId}/snapshots/${snapshotId}`,
    schema: snapshotDeleted,
  }),
  /** Creates a branch with the content of the snapshot. */
  restore: (
    projectId: string,
    snapshotId: string,
    body: SnapshotRestore = {},
  ): Request<z.infer<typeof snapshotRestored>> => ({
    method: "POST",
    path: path`/projects/${projectId}/snapshots/${snapshotId}/restore`,
    body,
    schema: snapshotRestored,
  }),
};
