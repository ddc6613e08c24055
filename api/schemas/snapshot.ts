import { z } from "zod";

import { path, request } from "../core/request";
import { branch, lsn } from "./branch";
import { endpoint } from "./endpoint";
import { operationsMember } from "./operation";
import { createdAt, instant, timestamp } from "./wire";

/** A snapshot of a branch. */
export const snapshot = z.looseObject({
  id: z.string().describe("Id of the snapshot."),
  name: z.string().describe("Name of the snapshot, unique in the project."),
  /** The slug has lower-case letters, digits and hyphens. Older snapshots may have no slug. */
  slug: z
    .string()
    .optional()
    .describe("Another name, which Neon generates and which never changes. Neon's CLI finds the snapshot by it."),
  source_branch_id: z.string().optional().describe("Id of the branch that the snapshot was created from."),
  lsn: z
    .string()
    .optional()
    .describe("Log sequence number of the branch at which the snapshot is taken, such as `0/1DE2850`."),
  timestamp: timestamp
    .optional()
    .describe(
      "Time in the branch's history at which the snapshot is taken (ISO 8601), such as `2030-01-31T12:00:00Z`.",
    ),
  created_at: createdAt,
  expires_at: timestamp.optional().meta({
    description: "Time at which Neon deletes the snapshot (ISO 8601), such as `2030-01-31T12:00:00Z`.",
    absent: "if it never expires",
  }),
  manual: z.boolean().optional().describe("`false` if a backup schedule created the snapshot."),
});
export type Snapshot = z.infer<typeof snapshot>;

/** The query that takes a snapshot. */
export const snapshotCreate = z.object({
  name: z.string().min(1).optional(),
  /** The slug is unique in the project. Default: Neon generates one. */
  slug: z
    .string()
    .regex(
      /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/,
      "must be 1 to 63 lower-case letters, digits and hyphens, start with a letter, and not end with a hyphen",
    )
    .optional(),
  lsn: lsn.optional(),
  timestamp: instant.optional(),
  expires_at: instant.optional(),
});
export type SnapshotCreate = z.infer<typeof snapshotCreate>;

/** The body that changes a snapshot. */
export const snapshotUpdate = snapshotCreate.pick({ name: true }).extend({
  /** `null`: the snapshot never expires. */
  expires_at: instant.nullable().optional(),
});
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
  list: (projectId: string) => request("GET", path`/projects/${projectId}/snapshots`, snapshotList),
  create: (projectId: string, branchId: string, query: SnapshotCreate) =>
    request("POST", path`/projects/${projectId}/branches/${branchId}/snapshot`, snapshotCreated, { query }),
  update: (projectId: string, snapshotId: string, body: SnapshotUpdate) =>
    request("PATCH", path`/projects/${projectId}/snapshots/${snapshotId}`, snapshotResponse, {
      body: { snapshot: body },
    }),
  delete: (projectId: string, snapshotId: string) =>
    request("DELETE", path`/projects/${projectId}/snapshots/${snapshotId}`, snapshotDeleted),
  /** Creates a branch with the content of the snapshot. */
  restore: (projectId: string, snapshotId: string, body: SnapshotRestore = {}) =>
    request("POST", path`/projects/${projectId}/snapshots/${snapshotId}/restore`, snapshotRestored, { body }),
};
