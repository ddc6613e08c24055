import { z } from "zod";

import type { ControlPlane } from "./control-plane";
import type { BranchRow } from "./branches/branch-row";
import type { EndpointRow } from "./computes/endpoint-row";
import type { ProjectRow } from "./projects/project-row";

const computeStatus = z.object({
  id: z.string(),
  type: z.string(),
  state: z.string(),
  host: z.string(),
  /** The process id of its Postgres; null if it does not run. */
  pid: z.number().nullable(),
  /** The folder with the data and the log of a read replica; null on computes that use the data of their branch. */
  folder: z.string().nullable(),
});

const branchStatus = z.object({
  id: z.string(),
  name: z.string(),
  default: z.boolean(),
  state: z.string(),
  /** The folder with its data and its log; null if the platform runs no Postgres. */
  folder: z.string().nullable(),
  computes: z.array(computeStatus),
});

const projectStatus = z.object({
  id: z.string(),
  name: z.string(),
  pg_version: z.number(),
  branches: z.array(branchStatus),
});

/** The projects, branches and computes of a platform, as `GET /local/status` returns them. */
export const platformStatus = z.object({
  /** The data folder; null if the data is in memory. */
  data: z.string().nullable(),
  projects: z.array(projectStatus),
});

export type PlatformStatus = z.infer<typeof platformStatus>;
export type ProjectStatus = z.infer<typeof projectStatus>;
export type BranchStatus = z.infer<typeof branchStatus>;
export type ComputeStatus = z.infer<typeof computeStatus>;

/** The processes and the files behind the rows. */
export interface Processes {
  pidOf(endpointId: string): number | undefined;
  branchFolder(branchId: string): string;
  replicaFolder(endpointId: string): string;
}

/** All projects with their branches and computes, oldest first. */
export function statusOfProjects({ tables }: ControlPlane, processes: Processes | undefined): ProjectStatus[] {
  const compute = (row: EndpointRow): ComputeStatus => ({
    id: row.id,
    type: row.type,
    state: row.current_state,
    host: row.host,
    pid: processes?.pidOf(row.id) ?? null,
    folder: row.type === "read_only" ? (processes?.replicaFolder(row.id) ?? null) : null,
  });
  const branch = (row: BranchRow): BranchStatus => ({
    id: row.id,
    name: row.name,
    default: row.default,
    state: row.current_state,
    folder: processes?.branchFolder(row.id) ?? null,
    computes: tables.endpoints.list({ branch_id: row.id, deleted_at: null }, "ORDER BY created_at").map(compute),
  });
  const project = (row: ProjectRow): ProjectStatus => ({
    id: row.id,
    name: row.name,
    pg_version: row.pg_version,
    branches: tables.branches.list({ project_id: row.id, deleted_at: null }, "ORDER BY created_at").map(branch),
  });
  return tables.projects.list({ deleted_at: null }, "ORDER BY created_at").map(project);
}
